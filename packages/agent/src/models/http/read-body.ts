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
