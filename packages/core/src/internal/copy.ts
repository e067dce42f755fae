import { closeSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ConfinedFile, type DirectoryEntry, openSettled } from "./confined.ts";
import { makeFolder, readUpTo, TimeSlice, writeNew } from "./files.ts";

export interface CopyOptions {
  /** Of all files together. */
  readonly maxBytes: number;
  /** Permissions of a copy, from those of the file. */
  readonly mode: (mode: number) => number;
  /** Called with the bytes that were written. */
  readonly onFile?: (path: string, bytes: Buffer) => void;
}

export type CopyResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly path: string;
      readonly reason: Exclude<ConfinedFile, { ok: true }>["reason"] | "too-large";
      /** What the system said. */
      readonly errorCode?: string;
    };

/**
 * Copies files that `walkDirectory` found below a real path into a folder of ours. What is copied is the
 * file that was opened, without following links, as large as it was then. Stops at the first problem.
 */
export async function copyFiles(
  root: string,
  entries: readonly DirectoryEntry[],
  target: string,
  { maxBytes, mode, onFile }: CopyOptions,
): Promise<CopyResult> {
  const slice = new TimeSlice();
  let left = maxBytes;
  makeFolder(target);
  for (const { path } of entries) {
    const opened = await openSettled(root, path.split("/"));
    if (!opened.ok) return { path, ...opened };
    const { descriptor, stats } = opened;
    try {
      if (stats.size > left) return { ok: false, path, reason: "too-large" };
      const bytes = readUpTo(descriptor, stats.size + 1, stats.size);
      if (bytes.length > stats.size) return { ok: false, path, reason: "changing" };
      left -= bytes.length;
      const file = join(target, path);
      makeFolder(dirname(file));
      writeNew(file, bytes, { mode: mode(stats.mode) });
      onFile?.(path, bytes);
    } finally {
      closeSync(descriptor);
    }
    if (slice.isOver) await slice.rest();
  }
  return { ok: true };
}
