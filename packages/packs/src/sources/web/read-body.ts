import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import { sourceFailure } from "../source-failure.ts";
import { openResponse } from "./open-response.ts";
import type { WebContext } from "./web-context.ts";
import { requestFailure } from "./web-failure.ts";

export interface ReadBody {
  readonly ok: true;
  readonly url: URL;
  readonly bytes: number;
  readonly contentType: string;
}

/** An answer that drips for ever is given up after this, whatever its size. */
const MAX_MILLISECONDS = 15 * 60 * 1000;

/** Gives an answer's bytes to `take` one by one and stops at the first byte too many. */
export async function readBody(
  from: URL,
  context: WebContext,
  maxBytes: number,
  take: (chunk: Uint8Array) => void | Promise<void>,
): Promise<ReadBody | PackFailure> {
  const idle = new AbortController();
  const giveUp = () => idle.abort(new Error("it is too slow"));
  const watch = setTimeout(giveUp, context.idleMilliseconds);
  // Not AbortSignal.timeout, which is forgotten when garbage is collected.
  const end = setTimeout(giveUp, MAX_MILLISECONDS);
  const ends = [idle.signal, ...(context.signal === undefined ? [] : [context.signal])];
  const signal = AbortSignal.any(ends);
  try {
    const opened = await openResponse(from, context, signal);
    if (!opened.ok) return opened;
    const { response, url } = opened;
    const announced = Number(response.headers.get("content-length") ?? Number.NaN);
    if (announced > maxBytes) {
      await response.body?.cancel().catch(() => undefined);
      return tooLarge(url, maxBytes);
    }
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      watch.refresh();
      signal.throwIfAborted();
      bytes += chunk.byteLength;
      // Leaving the loop ends the transfer.
      if (bytes > maxBytes) return tooLarge(url, maxBytes);
      await take(chunk);
      const total = Number.isFinite(announced) ? { total: announced } : {};
      context.onProgress?.({
        phase: "fetch",
        done: bytes,
        ...total,
        unit: "bytes",
        detail: url.host,
      });
    }
    return { ok: true, url, bytes, contentType: response.headers.get("content-type") ?? "" };
  } catch (error) {
    return requestFailure(from, error, context);
  } finally {
    clearTimeout(watch);
    clearTimeout(end);
  }
}

function tooLarge(url: URL, maxBytes: number): PackFailure {
  const message = `${foreignText(url.href)} is larger than the ${maxBytes} bytes that are allowed`;
  return sourceFailure("limit-exceeded", message);
}
