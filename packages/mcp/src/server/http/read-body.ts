import type { IncomingMessage } from "node:http";
import type { Refusal } from "./http-answer.ts";

export type Body =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly refusal: Refusal };

/** The JSON in a request, within a limit that also holds for what is sent without saying how much. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  const { headers } = request;
  if (!/^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "")) {
    return refused(415, "Content-Type must be application/json");
  }
  if (headers["content-encoding"] !== undefined)
    return refused(415, "no Content-Encoding is known");
  if (Number(headers["content-length"] ?? 0) > maxBytes) return tooLarge(maxBytes);
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > maxBytes) return tooLarge(maxBytes);
      parts.push(part);
    }
    const text = Buffer.concat(parts).toString();
    if (isTooDeep(text)) return refused(400, "the body is nested too deeply", -32_600);
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return refused(400, "the body is no JSON", -32_700);
  }
}

const MAX_DEPTH = 256;

/** What is nested so deeply that code which looks into it step by step could fail. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (part === "[" || part === "{") depth++;
    else if (part === "]" || part === "}") depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function tooLarge(maxBytes: number): Body {
  return refused(413, `the body is larger than ${maxBytes} bytes`);
}

function refused(status: number, message: string, code?: number): Body {
  const refusal = { status, message, ...(code === undefined ? undefined : { code }) };
  return { ok: false, refusal };
}
