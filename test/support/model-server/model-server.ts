import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What a client sent. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What the server does with a request. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Written one after the other, each in a packet of its own. */
  readonly chunks: readonly (string | Uint8Array)[];
  /** After the chunks: end well (default), break the connection, or say nothing more. */
  readonly end?: "well" | "broken" | "never";
}

export type Script = (request: RecordedRequest) => Reply;

export interface ModelServer {
  /** Without a path. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Answers to the next requests, in this order; the last one is repeated. */
  readonly answer: (...scripts: readonly (Script | Reply)[]) => void;
  /** Ends when a client gave up on an answer that never ends. */
  readonly clientLeft: Promise<void>;
}

/** A real HTTP server on this machine that plays the services of models. Gone when the test ends. */
export async function startModelServer(): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  let scripts: (Script | Reply)[] = [];
  let left: () => void = () => undefined;
  const clientLeft = new Promise<void>((resolve) => (left = resolve));
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      const text = Buffer.concat(parts).toString("utf8");
      const { method = "", url: path = "", headers } = incoming;
      const request = { method, path, headers, text, body: parse(text) };
      requests.push(request);
      const script = scripts.length > 1 ? scripts.shift() : scripts[0];
      const reply = typeof script === "function" ? script(request) : script;
      response.on("close", () => response.writableFinished || left());
      void play(reply ?? { status: 500, chunks: ["no script"] }, response);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    clientLeft,
    answer: (...given) => (scripts = [...given]),
  };
}

async function play(reply: Reply, response: ServerResponse): Promise<void> {
  response.socket?.setNoDelay(true);
  response.writeHead(reply.status ?? 200, reply.headers ?? {});
  response.flushHeaders();
  for (const chunk of reply.chunks) {
    await new Promise<void>((resolve) => void response.write(chunk, () => resolve()));
    // The client shall read it before the next one comes.
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
  if (reply.end === "broken") response.destroy();
  else if (reply.end !== "never") response.end();
}

function parse(text: string): RecordedRequest["body"] {
  try {
    return JSON.parse(text) as RecordedRequest["body"];
  } catch {
    return {};
  }
}
