import { splitGraphemes } from "@skillwright/core/internal";

/** A text that is being written, and where. */
export interface EditBuffer {
  readonly text: string;
  /** An index into the text, never inside of what a reader takes for one character. */
  readonly cursor: number;
}

export const EMPTY_BUFFER: EditBuffer = { text: "", cursor: 0 };

/** No request is longer. */
export const MAX_INPUT = 60_000;

export function bufferOf(text: string): EditBuffer {
  const kept = text.slice(0, MAX_INPUT);
  return { text: kept, cursor: kept.length };
}

export function insertText({ text, cursor }: EditBuffer, inserted: string): EditBuffer {
  const kept = inserted.slice(0, Math.max(0, MAX_INPUT - text.length));
  return { text: text.slice(0, cursor) + kept + text.slice(cursor), cursor: cursor + kept.length };
}

/** Removes the text between two places. */
export function removeBetween({ text }: EditBuffer, from: number, to: number): EditBuffer {
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

export function before({ text, cursor }: EditBuffer): number {
  if (cursor === 0) return 0;
  const start = lineStart({ text, cursor });
  if (start === cursor) return cursor - 1;
  return cursor - (splitGraphemes(text.slice(start, cursor)).at(-1)?.length ?? 1);
}

export function after({ text, cursor }: EditBuffer): number {
  if (cursor >= text.length) return text.length;
  const end = lineEnd({ text, cursor });
  if (end === cursor) return cursor + 1;
  return cursor + (splitGraphemes(text.slice(cursor, end))[0]?.length ?? 1);
}

const WORD_BEFORE = /[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u;
const WORD_AFTER = /^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u;

/** The beginning of the word that the cursor is in or behind. */
export function wordStart({ text, cursor }: EditBuffer): number {
  const start = Math.max(0, cursor - MAX_WORD);
  return cursor - (WORD_BEFORE.exec(text.slice(start, cursor))?.[0].length ?? 0);
}

export function wordEnd({ text, cursor }: EditBuffer): number {
  return cursor + (WORD_AFTER.exec(text.slice(cursor, cursor + MAX_WORD))?.[0].length ?? 0);
}

/** The search for a word begins at every place, so that it must not have too many. */
const MAX_WORD = 500;

export function lineStart({ text, cursor }: EditBuffer): number {
  return cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;
}

export function lineEnd({ text, cursor }: EditBuffer): number {
  const end = text.indexOf("\n", cursor);
  return end === -1 ? text.length : end;
}

/** The same place one line further up or down; undefined when there is no such line. */
export function otherLine(buffer: EditBuffer, direction: -1 | 1): EditBuffer | undefined {
  const { text, cursor } = buffer;
  const start = lineStart(buffer);
  const end = lineEnd(buffer);
  if (direction === -1 ? start === 0 : end === text.length) return undefined;
  const other = direction === -1 ? lineStart({ text, cursor: start - 1 }) : end + 1;
  const line = text.slice(other, lineEnd({ text, cursor: other }));
  const { length } = splitGraphemes(text.slice(start, cursor));
  const moved = splitGraphemes(line).slice(0, length).join("").length;
  return { text, cursor: other + moved };
}
