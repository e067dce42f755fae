import type { BigIntStats } from "node:fs";

/** Two writes this close may leave the same time; some file systems count in ticks of 10 ms. */
const RACY_NANOSECONDS = 100_000_000n;

/**
 * Says whether a file is the one that was read: size, modification time in nanoseconds, inode. Empty
 * – equal to nothing – for a file changed so recently, or in a future so strange, that the next
 * change might not show.
 */
export function fileStamp({ size, mtimeNs, ino }: BigIntStats, nowNs: bigint): string {
  return nowNs - mtimeNs < RACY_NANOSECONDS ? "" : `${size}.${mtimeNs}.${ino}`;
}
