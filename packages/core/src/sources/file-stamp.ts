import type { BigIntStats } from "node:fs";

/** Two writes this close may leave the same time; some file systems count in ticks of 10 ms. */
const RACY_NANOSECONDS = 100_000_000n;

export interface FileStamp {
  /**
   * Size, modification time in nanoseconds and inode: differs when the file does. So does the time
   * of the last change of any kind, which nobody can set back.
   */
  readonly stamp: string;
  /** Written so recently, or in a future so strange, that the next change might not show. */
  readonly racy: boolean;
}

const numbers = new BigUint64Array(4);
const bytes = Buffer.from(numbers.buffer);

/** Not as decimal numbers: to make those of four big integers takes several times as long. */
export function fileStamp({ size, mtimeNs, ctimeNs, ino }: BigIntStats, nowNs: bigint): FileStamp {
  numbers[0] = size;
  numbers[1] = mtimeNs;
  numbers[2] = ctimeNs;
  numbers[3] = ino;
  return { stamp: bytes.toString("base64"), racy: nowNs - mtimeNs < RACY_NANOSECONDS };
}
