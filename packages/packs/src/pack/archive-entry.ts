import { byteOrder } from "../byte-order.ts";

/** One file of an archive. */
export interface ArchiveEntry {
  /** With `/`, relative to the root of the archive. */
  readonly path: string;
  readonly content: Buffer;
  readonly executable: boolean;
}

export interface CompressOptions {
  readonly compression: "deflate" | "store";
  /** Bytes unpacked for each packed one that readers accept; what would exceed it is stored. */
  readonly ratio: number;
}

export const COMPRESSION_LEVEL = 9;

export function inByteOrder(entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  return entries.toSorted((a, b) => byteOrder(a.path, b.path));
}

export function modeOf({ executable }: ArchiveEntry): number {
  return executable ? 0o755 : 0o644;
}

/** What an entry costs beside its content in any archive, at the least. */
const ENTRY_BYTES = 60;

/**
 * Whether compressing pays and does not look like a bomb to whoever unpacks it. What is small
 * cannot: however well it compresses, its own entry keeps the whole below the ratio.
 */
export function isWorthCompressing(size: number, compressed: number, ratio: number): boolean {
  const isHarmless = size <= ratio * ENTRY_BYTES || size <= compressed * (ratio / 2);
  return compressed < size && isHarmless;
}
