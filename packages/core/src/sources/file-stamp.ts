import type { BigIntStats } from "node:fs";

/** Two writes this close may leave the same time; some file systems count in ticks of 10 ms. */
const RACY_NANOSECONDS = 100_000_000n;

export interface FileStamp {
  /**
   * Size, modification time in nanoseconds and inode: differs when the file does. So does the time
   * of the last change of any kind, which nobody can set back; it stands there only where it is
   * another one, since to write it takes time.
   */
  readonly stamp: string;
  /** Written so recently, or in a future so strange, that the next change might not show. */
  readonly racy: boolean;
}

export function fileStamp({ size, mtimeNs, ctimeNs, ino }: BigIntStats, nowNs: bigint): FileStamp {
  const written = `${size}.${mtimeNs}.${ino}`;
  const stamp = ctimeNs === mtimeNs ? written : `${written}.${ctimeNs}`;
  return { stamp, racy: nowNs - mtimeNs < RACY_NANOSECONDS };
}
