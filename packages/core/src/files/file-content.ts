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
