import type { PackProgress } from "../fetched-pack.ts";
import type { PackLimits } from "../pack-limits.ts";
import type { EntryGate } from "./entries/entry-gate.ts";
import type { TreeWriter } from "./entries/tree-writer.ts";

/** What unpacking needs, whatever the format is. */
export interface UnpackOptions {
  readonly gate: EntryGate;
  readonly writer: TreeWriter;
  readonly limits: PackLimits;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: PackProgress) => void) | undefined;
}

/** Little compresses very well without meaning harm. */
const HARMLESS_BYTES = 1024 * 1024;

export function isBomb(unpacked: number, packed: number, ratio: number): boolean {
  return unpacked > HARMLESS_BYTES && unpacked > packed * ratio;
}
