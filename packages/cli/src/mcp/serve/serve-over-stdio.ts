import { serveStdio, type SkillServer } from "@skillwright/mcp";
import type { Serving } from "./serve-over-http.ts";

/** Serves whoever started this process, until its input ends. */
export async function serveOverStdio(
  server: SkillServer,
  { console, logger, signal }: Serving,
): Promise<void> {
  const { stdin } = console.streams;
  if (stdin === undefined) return;
  // Whatever a library has to say would not be a message of the protocol.
  const before = { ...globalThis.console };
  const aside = (...said: unknown[]) => before.error(...said);
  Object.assign(globalThis.console, { log: aside, info: aside, debug: aside });
  try {
    await serveStdio(server, { input: stdin(), output: process.stdout, logger, signal });
  } finally {
    Object.assign(globalThis.console, before);
  }
}
