import type { FetchLike } from "@modelcontextprotocol/client";
import type { ServerProblem } from "../connection/failure-of.ts";
import type { HostLimits } from "../host-limits.ts";
import { answerProblem, fetchProblem } from "./fetch-problem.ts";

/** Of a stream of messages: each line may be one, which takes more time than its bytes. */
const MAX_LINES = 20_000;
const NEWLINE = 0x0a;

export interface BoundedFetch {
  readonly fetch: FetchLike;
  /** Why the last request got no answer that could be one. */
  problem(): ServerProblem | undefined;
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
  let problem: ServerProblem | undefined;
  let ending = new AbortController();
  const bounded: FetchLike = async (url, init) => {
    if (new URL(url).origin !== address.origin) {
      throw new Error(`the server leads to another one, ${new URL(url).origin}`);
    }
    if ((init?.method ?? "GET") === "GET") return new Response(null, { status: 405 });
    const signals = [ending.signal, ...(init?.signal ? [init.signal] : [])];
    const signal = AbortSignal.any(signals);
    const response = await fetch(url, { ...init, signal, redirect: "error" }).catch(
      (error: unknown) => {
        problem = fetchProblem(error, address);
        throw error;
      },
    );
    problem = answerProblem(response, new Headers(init?.headers).has("authorization"));
    if (Number(response.headers.get("content-length") ?? 0) > messageBytes) {
      await response.body?.cancel();
      throw tooLong(messageBytes);
    }
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    const limited = body.pipeThrough(limit(messageBytes, maxLines(headers)), { signal });
    return new Response(limited, { status, statusText, headers });
  };
  const endAll = () => {
    ending.abort(new Error("the caller no longer waits for it"));
    ending = new AbortController();
  };
  return { fetch: bounded, problem: () => problem, endAll };
}

function maxLines(headers: Headers): number {
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
  return isStream ? MAX_LINES : Number.POSITIVE_INFINITY;
}

function limit(maxBytes: number, most: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let lines = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
      if (size > maxBytes) controller.error(tooLong(maxBytes));
      else if (lines > most) controller.error(new Error(`the server sent more than ${most} lines`));
      else controller.enqueue(chunk);
    },
  });
}

function tooLong(maxBytes: number): Error {
  return new Error(`the server sent more than ${maxBytes} bytes`);
}
