import type { Readable, Writable } from "node:stream";
import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import type { Logger } from "@skillwright/core";
import type { SkillServer } from "../create-skill-server.ts";
import { guardedInput } from "./guarded-input.ts";
import { PacedTransport } from "./paced-transport.ts";

export interface ServeStdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Bytes of one message at most; a longer one is passed over. Default: 4 MiB. */
  readonly maxMessageBytes?: number;
  readonly logger?: Logger;
  /** Ends the connection. */
  readonly signal?: AbortSignal;
}

const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const MAX_SUBSCRIPTIONS = 32;
const TOO_LARGE = {
  jsonrpc: "2.0",
  id: null,
  error: { code: -32_600, message: "the message is too large and was passed over" },
};

const OPTIONS: OptionKinds<ServeStdioOptions> = {
  input: "object",
  output: "object",
  maxMessageBytes: "number",
  logger: "object",
  signal: "object",
};

export async function serveStdio(server: SkillServer, options: ServeStdioOptions): Promise<void> {
  checkOptions("serveStdio", options, OPTIONS, ["input", "output"]);
  const { input, output, maxMessageBytes = MAX_MESSAGE_BYTES, logger, signal } = options;
  const lines = guardedInput(input, {
    maxLineBytes: maxMessageBytes,
    onLongLine: () => output.write(`${JSON.stringify(TOO_LARGE)}\n`),
  });
  const maxBufferSize = maxMessageBytes * 2;
  const transport = new PacedTransport({ input: lines, output, maxBufferSize });
  const ended = new Promise<void>((resolve) => {
    lines.once("end", resolve).once("close", resolve);
    output.once("error", () => resolve()).once("close", resolve);
    signal?.addEventListener("abort", () => resolve(), { once: true });
    if (signal?.aborted === true) resolve();
  });
  const connection = serveConnection(({ era }) => server.open(era), {
    transport,
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: (error) => logger?.debug("a message was passed over", { error: error.message }),
  });
  await ended;
  await connection.close();
  input.unpipe(lines);
  input.pause();
}
