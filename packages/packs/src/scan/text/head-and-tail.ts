/** The largest files that real skills have as text are below a megabyte. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;
export const PART_BYTES = MAX_FILE_BYTES / 2;

/** Of a file that is too large its start and its end: that is where people and attackers write. */
export interface HeadAndTail {
  readonly bytes: Uint8Array;
  readonly leftOut: number;
}

export function headAndTail(bytes: Uint8Array): HeadAndTail {
  if (bytes.length <= MAX_FILE_BYTES) return { bytes, leftOut: 0 };
  return joinParts(
    bytes.subarray(0, PART_BYTES),
    bytes.subarray(bytes.length - PART_BYTES),
    bytes.length,
  );
}

/** Cut between characters, and between lines where one is near; an even start keeps wide characters whole. */
export function joinParts(head: Uint8Array, tail: Uint8Array, size: number): HeadAndTail {
  const isWide = head.subarray(0, 512).includes(0);
  if (isWide) {
    const skip = (size - tail.length) % 2;
    return {
      bytes: Buffer.concat([
        head.subarray(0, head.length - (head.length % 2)),
        tail.subarray(skip),
      ]),
      leftOut: size - head.length - tail.length,
    };
  }
  let start = 0;
  while (start < 4 && ((tail[start] ?? 0) & 0xc0) === 0x80) start++;
  let end = head.length;
  while (head.length - end < 4 && ((head[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  if (end < head.length || (head[end - 1] ?? 0) >= 0xc0) end--;
  return {
    bytes: Buffer.concat([head.subarray(0, end), Buffer.from("\n"), tail.subarray(start)]),
    leftOut: size - end - (tail.length - start),
  };
}
