import { isUtf8 } from "node:buffer";

/** How much of a file is looked at to tell text from anything else. */
export const SAMPLE_BYTES = 8192;

/** True for UTF-8 without NUL. A character cut off at the end counts when there is `more`. */
export function isText(bytes: Buffer, more: boolean): boolean {
  if (bytes.includes(0)) return false;
  return isUtf8(more ? wholeCharacters(bytes) : bytes);
}

/** Without the beginning of a character whose rest is missing. */
export function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** UTF-16 is text when it starts with a byte order mark; without one nobody can tell. */
export function utf16Order(head: Buffer): "le" | "be" | undefined {
  if (head.length < 2 || (head.length >= 4 && head.readUInt32LE(0) === 0xfeff)) return undefined;
  const mark = head.readUInt16LE(0);
  return mark === 0xfeff ? "le" : mark === 0xfffe ? "be" : undefined;
}

/** The same text in UTF-8; undefined when it is not valid. */
export function utf16ToUtf8(bytes: Buffer, order: "le" | "be"): Buffer | undefined {
  if (bytes.length % 2 === 1) return undefined;
  const text = (order === "le" ? bytes : Buffer.from(bytes).swap16()).toString("utf16le");
  return /[\0\p{Cs}]/u.test(text) ? undefined : Buffer.from(text);
}
