import type { IncomingMessage, ServerResponse } from "node:http";

/** An answer of the transport, before or instead of one of the protocol. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** Of JSON-RPC. Default: -32000. */
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers as the protocol does, so that clients show the reason. The rest of the request is not read. */
export function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  const { status, message, code = -32_000, headers = {} } = refusal;
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const body = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } });
  // A body that nobody reads would be taken for the next request.
  const close = request.complete ? {} : { connection: "close" };
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    ...close,
    ...headers,
  });
  response.end(body);
  if (!request.complete) request.resume();
}
