import { isUtf8 } from "node:buffer";
import { closeSync, readSync } from "node:fs";

/** The bytes of a file, to be read in parts. */
export interface FileContent {
  /** Relative to the skill; as it is named there, not as it was asked for. */
  readonly path: string;
  readonly size: number;
  /** Fills the buffer from a position on and says how many bytes there were; 0 at the end. */
  read(buffer: Buffer, position: number): number;
  close(): void;
}

export function descriptorContent(path: string, descriptor: number, size: number): FileContent {
  return {
    path,
    size,
    read: (buffer, position) => readSync(descriptor, buffer, 0, buffer.length, position),
    close: () => closeSync(descriptor),
  };
}

export function memoryContent(path: string, bytes: Buffer): FileContent {
  return {
    path,
    size: bytes.length,
    read: (buffer, position) => bytes.subarray(position).copy(buffer),
    close: () => {},
  };
}

/** The bytes from `start`, at most `limit` of them, also when the file grows meanwhile. */
export function readBytes(content: FileContent, start: number, limit: number): Buffer {
  // One more than there should be, so that the usual read is one call.
  const expected = Math.max(0, content.size - start) + 1;
  let buffer = Buffer.allocUnsafe(Math.min(expected, limit));
  let length = 0;
  while (length < limit) {
    if (length === buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(limit, length * 2 + 4096));
      buffer.copy(larger, 0, 0, length);
      buffer = larger;
    }
    const count = content.read(buffer.subarray(length), start + length);
    length += count;
    if (count === 0 || (start + length === content.size && length < limit)) break;
  }
  return buffer.subarray(0, length);
}

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
