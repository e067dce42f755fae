import type { BigIntStats } from "node:fs";

/** Two writes this close may leave the same time; some file systems count in ticks of 10 ms. */
const RACY_NANOSECONDS = 100_000_000n;

export interface FileStamp {
  /** Size, modification time in nanoseconds and inode: differs when the file does. */
  readonly stamp: string;
  /** Written so recently, or in a future so strange, that the next change might not show. */
  readonly racy: boolean;
}

export function fileStamp({ size, mtimeNs, ino }: BigIntStats, nowNs: bigint): FileStamp {
  return { stamp: `${size}.${mtimeNs}.${ino}`, racy: nowNs - mtimeNs < RACY_NANOSECONDS };
}
