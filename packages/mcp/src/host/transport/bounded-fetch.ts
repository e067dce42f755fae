import type { FetchLike } from "@modelcontextprotocol/client";
import type { HostLimits } from "../host-limits.ts";

export interface BoundedFetch {
  readonly fetch: FetchLike;
  /** Ends all that is still under way: answers that nobody waits for would keep this process alive. */
  endAll(): void;
}

/**
 * `fetch` for one server: nothing but answers to what was asked, each of them bounded. A stream that
 * a server could fill by itself is not opened: lists are looked at again when they are needed.
 */
export function boundedFetch(
  address: URL,
  { messageBytes }: Pick<HostLimits, "messageBytes">,
  fetch: FetchLike = globalThis.fetch,
): BoundedFetch {
  let ending = new AbortController();
  const bounded: FetchLike = async (url, init) => {
    if (new URL(url).origin !== address.origin) {
      throw new Error(`the server leads to another one, ${new URL(url).origin}`);
    }
    if ((init?.method ?? "GET") === "GET") return new Response(null, { status: 405 });
    const signals = [ending.signal, ...(init?.signal ? [init.signal] : [])];
    const signal = AbortSignal.any(signals);
    const response = await fetch(url, { ...init, signal, redirect: "error" });
    if (Number(response.headers.get("content-length") ?? 0) > messageBytes) {
      await response.body?.cancel();
      throw tooLong(messageBytes);
    }
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    const limited = body.pipeThrough(limit(messageBytes), { signal });
    return new Response(limited, { status, statusText, headers });
  };
  const endAll = () => {
    ending.abort(new Error("nobody waits for it any more"));
    ending = new AbortController();
  };
  return { fetch: bounded, endAll };
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
