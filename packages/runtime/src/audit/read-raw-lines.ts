import type { FileHandle } from "node:fs/promises";

/** A line without its newline. */
export interface RawLine {
  /** Undefined when the line is longer than allowed. */
  readonly bytes: Buffer | undefined;
  /** Whether a newline follows. */
  readonly isWhole: boolean;
}

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/**
 * Reads lines as bytes, never holding more than one line and one chunk. The bytes are good until the
 * next lines are asked for.
 */
export async function* readRawLines(
  handle: FileHandle,
  maxLineBytes: number,
): AsyncGenerator<readonly RawLine[]> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let rest: Buffer[] = [];
  let restBytes = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    const lines: RawLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const piece = chunk.subarray(start, end);
      const isTooLong = restBytes + piece.length > maxLineBytes;
      const bytes = rest.length === 0 ? piece : Buffer.concat([...rest, piece]);
      lines.push({ bytes: isTooLong ? undefined : bytes, isWhole: true });
      rest = [];
      restBytes = 0;
      start = end + 1;
    }
    if (start < chunk.length) {
      restBytes += chunk.length - start;
      if (restBytes > maxLineBytes) rest = [];
      else rest.push(Buffer.from(chunk.subarray(start)));
    }
    yield lines;
  }
  if (restBytes === 0) return;
  const isTooLong = restBytes > maxLineBytes;
  yield [{ bytes: isTooLong ? undefined : Buffer.concat(rest), isWhole: false }];
}
