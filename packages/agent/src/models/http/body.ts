import { createParser } from "eventsource-parser";
import { parseJson } from "./json.ts";

/** No model sends more than this. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** In UTF-16 units. */
const MAX_EVENT_LENGTH = 4 * 1024 * 1024;
/** The parser creates an error for every line with an unknown field, which takes time. */
const MAX_UNKNOWN_LINES = 1000;

/** The message continues "the response from the service". */
export class UnreadableBodyError extends Error {
  override readonly name = "UnreadableBodyError";
}

/**
 * Decodes a body piece by piece, and closes the connection when the reader stops early. Throws
 * `UnreadableBodyError`, and what the connection throws.
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
      length += value?.length ?? 0;
      if (length > maxBytes) throw new UnreadableBodyError("is too large");
      const text = decoder.decode(value, { stream: !done });
      if (text !== "") yield text;
      if (done) return;
    }
  } finally {
    // Not awaited: a hanging connection would hold us up.
    reader.cancel().catch(() => undefined);
  }
}

export async function readWholeBody(
  body: ReadableStream<Uint8Array> | null,
  maxBytes?: number,
): Promise<string> {
  let text = "";
  for await (const part of readBody(body, maxBytes)) text += part;
  return text;
}

const MAX_ERROR_LENGTH = 64 * 1024;

/** As much of an error as is shown. Does not throw: what arrived before a failure is enough. */
export async function readStartOfBody(
  body: ReadableStream<Uint8Array> | null,
  maxLength = MAX_ERROR_LENGTH,
): Promise<string> {
  let text = "";
  try {
    for await (const part of readBody(body)) {
      text += part;
      if (text.length >= maxLength) break;
    }
  } catch {
    // The connection broke.
  }
  return text.slice(0, maxLength);
}

export const DONE = "[DONE]";

/**
 * The data of each event of a `text/event-stream`. Throws `UnreadableBodyError` for events that are too
 * long and for text that is not an event stream.
 */
export async function* readEvents(
  parts: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  const events: string[] = [];
  let unknownLines = 0;
  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: ({ data }) => {
      if (data.length > MAX_EVENT_LENGTH) throw new UnreadableBodyError("has too long an event");
      events.push(data);
    },
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") {
        throw new UnreadableBodyError("has too long an event");
      }
      if (++unknownLines > MAX_UNKNOWN_LINES) {
        throw new UnreadableBodyError("is not an event stream");
      }
    },
  });
  let endsInReturn = false;
  for await (const part of parts) {
    const rest = endsInReturn && part.startsWith("\n") ? part.slice(1) : part;
    endsInReturn = part.endsWith("\r");
    // With both kinds of line ends in one piece the parser takes quadratic time.
    parser.feed(rest.replaceAll(/\r\n?/g, "\n"));
    yield* events.splice(0);
  }
  // Some servers end their last event without an empty line. Half an event was cut off: it is ignored,
  // and the answer is incomplete without it.
  parser.feed("\n\n");
  yield* events.filter((data) => data.trim() === DONE || parseJson(data) !== undefined);
}
