import { TimeSlice } from "../sources/time-slice.ts";
import type { FileContent } from "./file-content.ts";

/** Up to this size all lines of a file are counted; above it nobody should have to wait for that. */
export const MAX_COUNTED_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

export interface LocatedLines {
  /** Offset of the first line; undefined when the file ends before it. */
  readonly start?: number;
  /** Offset behind the last line; undefined when more than `maxBytes` lie before it. */
  readonly end?: number;
  /** Absent when the file was not read to its end. */
  readonly totalLines?: number;
}

/**
 * Where lines lie in a file, counted from 1. A line ends with LF, CRLF or CR. Reads no further
 * than it must: a file of any size costs what lies before the range, and one chunk of memory.
 */
export async function locateLines(
  content: FileContent,
  startLine: number,
  endLine: number,
  maxBytes: number,
): Promise<LocatedLines> {
  // What is added to the file from now on does not count, or this might never end.
  const { size } = content;
  const counted = size <= MAX_COUNTED_BYTES ? size : 0;
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size));
  const slice = new TimeSlice();
  let start = startLine === 1 ? 0 : -1;
  let end = -1;
  let line = 1;
  let lineStart = 0;
  let afterReturn = false;
  let position = 0;
  const breakAt = (offset: number): void => {
    line++;
    lineStart = offset;
    if (line === startLine) start = offset;
    if (line === endLine + 1) end = offset;
  };
  const isAnswered = (): boolean => end !== -1 || (start !== -1 && position - start > maxBytes);
  let isAtEnd = size === 0;
  while (!isAtEnd && (!isAnswered() || position < counted)) {
    const count = content.read(buffer.subarray(0, size - position), position);
    const chunk = buffer.subarray(0, count);
    if (afterReturn || chunk.includes(13)) {
      for (let i = 0; i < count; i++) {
        const byte = chunk[i];
        if (byte === 10) breakAt(position + i + 1);
        else if (afterReturn) breakAt(position + i);
        afterReturn = byte === 13;
      }
    } else {
      // The usual case, many times faster.
      for (let i = chunk.indexOf(10); i !== -1; i = chunk.indexOf(10, i + 1)) {
        breakAt(position + i + 1);
      }
    }
    position += count;
    isAtEnd = count === 0 || position === size;
    if (slice.isOver) await slice.rest();
  }
  if (isAtEnd && afterReturn) breakAt(position);
  const within = (offset: number) => start !== -1 && offset - start <= maxBytes;
  if (end === -1 && isAtEnd) end = position;
  return {
    ...(start !== -1 && (start < position || start === 0) && { start }),
    ...(end !== -1 && within(end) && { end }),
    ...(isAtEnd && { totalLines: lineStart < position ? line : line - 1 }),
  };
}
