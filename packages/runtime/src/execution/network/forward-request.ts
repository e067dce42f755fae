import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import type { NetworkAddress } from "../../workspace/network/network-request.ts";
import { connectOptions, IDLE_MS } from "./connect-options.ts";
import type { ForwardTarget } from "./proxy-target.ts";

type Headers = Readonly<Record<string, readonly string[] | undefined>>;

/** Mean something between two neighbours only. */
const HOP_BY_HOP = new Set(
  [
    ["connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"],
    ["expect", "host", "http2-settings"],
  ].flat(),
);

export const MAX_HEADER_BYTES = 16 * 1024;

/** Sends a plain request on, by a connection of its own, and its answer back. */
export function forwardRequest(
  incoming: IncomingMessage,
  answer: ServerResponse,
  target: ForwardTarget,
  addresses: readonly NetworkAddress[],
): void {
  const failed = () => {
    if (answer.headersSent) answer.destroy();
    else refuseRequest(answer, 502, `${target.host}:${target.port} cannot be reached`);
  };
  const isChunked = incoming.headers["transfer-encoding"] !== undefined;
  const outgoing = request(
    {
      ...connectOptions(target, addresses),
      method: incoming.method,
      path: target.path,
      headers: {
        ...endToEnd(incoming.headersDistinct),
        host: target.authority,
        ...(isChunked ? { "transfer-encoding": "chunked" } : {}),
      },
      agent: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      timeout: IDLE_MS,
    },
    (response) => {
      answer.writeHead(response.statusCode ?? 502, endToEnd(response.headersDistinct));
      pipeline(response, answer, () => {});
    },
  );
  outgoing.once("timeout", () => outgoing.destroy());
  outgoing.once("error", failed);
  answer.once("close", () => outgoing.destroy());
  pipeline(incoming, outgoing, () => {});
}

export function refuseRequest(
  answer: ServerResponse,
  status: 400 | 403 | 502,
  message: string,
): void {
  answer.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    connection: "close",
  });
  answer.end(`${message}\n`);
}

/** Without what `Connection` names, and without what is meant for a proxy. */
function endToEnd(headers: Headers): Record<string, string[]> {
  const named = (headers["connection"] ?? [])
    .flatMap((value) => value.split(","))
    .map((name) => name.trim().toLowerCase());
  // Framing is ours to write: who could have it left out could hide a second request.
  const dropped = new Set(named.filter((name) => name !== "content-length"));
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, values]) => {
      const isKept = !HOP_BY_HOP.has(name) && !dropped.has(name) && !name.startsWith("proxy-");
      return isKept && values !== undefined ? [[name, [...values]]] : [];
    }),
  );
}
