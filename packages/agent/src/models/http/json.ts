import { isNestedDeeper } from "@skillwright/core/internal";

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own property of an object; undefined for anything else. */
export function property(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A number of tokens; 0 for what is none. */
export function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Deeper values can be read, but not written again: that would overflow the stack. */
const MAX_DEPTH = 64;

/** Undefined for what is no JSON, or nested beyond all sense; `null` in JSON is null. */
export function parseJson(text: string): unknown {
  if (isNestedDeeper(text, MAX_DEPTH)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * JSON that any service takes. Half of a character, as it remains when a text was cut, is legal in
 * JSON text but refused by most parsers: it becomes the replacement character.
 */
export function encodeJson(value: unknown): string {
  return JSON.stringify(value).replace(/\\(?:u([0-9a-f]{4})|.)/g, (escape, code?: string) =>
    code !== undefined && /^d[89a-f]/.test(code) ? "\uFFFD" : escape,
  );
}

/** More than this is no answer of a model. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** The message continues "the response from the service". */
export class UnreadableBodyError extends Error {
  override readonly name = "UnreadableBodyError";
}

/**
 * The text of a body piece by piece; characters that are split over pieces come whole. Closes the
 * connection when the reader stops early. Throws `UnreadableBodyError`, and what the connection throws.
 */
export async function* readBody(
  body: ReadableStream<Uint8Array> | null,
  maxBytes = MAX_ANSWER_BYTES,
): AsyncGenerator<string> {
  if (body === null) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > maxBytes) throw new UnreadableBodyError("is too large");
      const text = decoder.decode(value, { stream: true });
      if (text !== "") yield text;
    }
    const rest = decoder.decode();
    if (rest !== "") yield rest;
  } finally {
    // Not waited for: a connection that hangs would keep us.
    reader.cancel().catch(() => undefined);
  }
}

export async function readWholeBody(
  body: ReadableStream<Uint8Array> | null,
  maxBytes?: number,
): Promise<string> {
  const parts: string[] = [];
  for await (const part of readBody(body, maxBytes)) parts.push(part);
  return parts.join("");
}

/** What is said in an error; the rest of the body is left where it is. Does not throw. */
export async function readStartOfBody(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<string> {
  let text = "";
  try {
    for await (const part of readBody(body)) {
      text += part;
      if (text.length >= maxBytes) break;
    }
  } catch {
    // What came is better than nothing.
  }
  return text.slice(0, maxBytes);
}
