import type { IncomingMessage } from "node:http";
import { isNestedDeeper } from "@skillwright/core/internal";
import type { Refusal } from "./http-answer.ts";
import type { HttpLimits } from "./http-limits.ts";

export type Body =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly refusal: Refusal };

const MAX_DEPTH = 256;

/** Reads the JSON in requests, within limits that also hold for what is sent without saying how much. */
export class BodyReader {
  readonly #limits: Pick<HttpLimits, "bodyBytes" | "allBodyBytes">;
  /** What is being sent, in order of its beginning, and how much of each has come. */
  readonly #open = new Map<IncomingMessage, number>();
  #bytes = 0;

  constructor(limits: Pick<HttpLimits, "bodyBytes" | "allBodyBytes">) {
    this.#limits = limits;
  }

  async read(request: IncomingMessage): Promise<Body> {
    const { headers } = request;
    const { bodyBytes } = this.#limits;
    if (!/^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "")) {
      return refused(415, "Content-Type must be application/json");
    }
    if (headers["content-encoding"] !== undefined) {
      return refused(415, "no Content-Encoding is known");
    }
    if (Number(headers["content-length"] ?? 0) > bodyBytes) return tooLarge(bodyBytes);
    this.#open.set(request, 0);
    try {
      return await this.#readOpen(request);
    } catch {
      return refused(400, "the body is not JSON", -32_700);
    } finally {
      this.#forget(request);
    }
  }

  async #readOpen(request: IncomingMessage): Promise<Body> {
    const { bodyBytes } = this.#limits;
    const parts: Buffer[] = [];
    let length = 0;
    for await (const part of request as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > bodyBytes) return tooLarge(bodyBytes);
      parts.push(part);
      this.#count(request, length);
    }
    const text = Buffer.concat(parts).toString();
    if (isNestedDeeper(text, MAX_DEPTH))
      return refused(400, "the body is nested too deeply", -32_600);
    return { ok: true, value: JSON.parse(text) as unknown };
  }

  /** Who began the longest ago makes room: others need no more than a moment. */
  #count(request: IncomingMessage, length: number): void {
    const before = this.#open.get(request);
    if (before === undefined) return;
    this.#bytes += length - before;
    this.#open.set(request, length);
    for (const oldest of this.#open.keys()) {
      if (this.#bytes <= this.#limits.allBodyBytes) return;
      this.#forget(oldest);
      oldest.destroy();
    }
  }

  #forget(request: IncomingMessage): void {
    this.#bytes -= this.#open.get(request) ?? 0;
    this.#open.delete(request);
  }
}

function tooLarge(maxBytes: number): Body {
  return refused(413, `the body is larger than ${maxBytes} bytes`);
}

function refused(status: number, message: string, code?: number): Body {
  const refusal = { status, message, ...(code === undefined ? undefined : { code }) };
  return { ok: false, refusal };
}
