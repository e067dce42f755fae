import type { FetchLike } from "@modelcontextprotocol/client";
import type { HostLimits } from "../host-limits.ts";

/**
 * `fetch` for one server: nothing but answers to what was asked, each of them bounded. A stream that
 * a server could fill by itself is not opened: lists are looked at again when they are needed.
 */
export function boundedFetch(
  address: URL,
  { messageBytes }: Pick<HostLimits, "messageBytes">,
  fetch: FetchLike = globalThis.fetch,
): FetchLike {
  return async (url, init) => {
    if (new URL(url).origin !== address.origin) {
      throw new Error(`the server leads to another one, ${new URL(url).origin}`);
    }
    if ((init?.method ?? "GET") === "GET") return new Response(null, { status: 405 });
    const response = await fetch(url, { ...init, redirect: "error" });
    if (Number(response.headers.get("content-length") ?? 0) > messageBytes) {
      await response.body?.cancel();
      throw tooLong(messageBytes);
    }
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    return new Response(body.pipeThrough(limit(messageBytes)), { status, statusText, headers });
  };
}

function limit(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > maxBytes) controller.error(tooLong(maxBytes));
      else controller.enqueue(chunk);
    },
  });
}

function tooLong(maxBytes: number): Error {
  return new Error(`the server sent more than ${maxBytes} bytes`);
}
