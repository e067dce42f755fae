/** Bounds on what is fetched and unpacked, kept while it streams. */
export interface PackLimits {
  /** Files in one pack. */
  readonly files: number;
  /** Bytes of one pack, unpacked. */
  readonly bytes: number;
  /** Bytes that are downloaded or read as an archive. */
  readonly archiveBytes: number;
  /** Unpacked bytes for each packed one. */
  readonly ratio: number;
}

export const DEFAULT_LIMITS: PackLimits = {
  files: 2000,
  bytes: 50 * 1024 * 1024,
  archiveBytes: 50 * 1024 * 1024,
  ratio: 100,
};
