import { closeSync, readSync, realpathSync } from "node:fs";
import { SkillwrightError } from "@skillwright/core";
import {
  TimeSlice,
  type DirectoryEntry,
  errorCode,
  openSettled,
  quoteName,
  walkDirectory,
  type WalkResult,
} from "@skillwright/core/internal";
import type { PackProgress } from "../fetched-pack.ts";
import { STATE_FOLDER } from "../install-scope.ts";
import type { PackFailure } from "../pack-failure.ts";
import { DEFAULT_LIMITS, type PackLimits } from "../pack-limits.ts";
import { allOrNothing } from "./entries/empty-folder.ts";
import { EntryGate, refuseEntry } from "./entries/entry-gate.ts";
import { TreeWriter } from "./entries/tree-writer.ts";
import { canceled, refuse } from "./refuse.ts";

export interface CopyTreeOptions {
  readonly limits?: Partial<PackLimits> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: PackProgress) => void) | undefined;
}

export interface CopiedTree {
  readonly ok: true;
  readonly files: number;
  readonly bytes: number;
  readonly notes: readonly string[];
}

/** Never part of a skill, and often large. */
const LEFT_OUT = [".git", "node_modules", STATE_FOLDER, "__pycache__"] as const;
const ENTRIES_PER_FILE = 4;
const PART = Buffer.allocUnsafe(256 * 1024);

/**
 * Copies the plain files of a folder into an empty one, by the rules for archives: the same names,
 * the same limits, the same modes. `from` may be a link; below it a link is refused and never followed.
 */
export async function copyTree(
  from: string,
  to: string,
  { signal, onProgress, ...given }: CopyTreeOptions = {},
): Promise<CopiedTree | PackFailure> {
  const limits = { ...DEFAULT_LIMITS, ...given.limits };
  if (signal?.aborted === true) return canceled();
  const gate = new EntryGate(limits);
  const walked = await walk(from, limits, gate);
  if (!walked.ok) return walked;
  const { root, entries } = walked;
  return allOrNothing(to, async () => {
    const writer = new TreeWriter(to, gate.names.folders);
    const slice = new TimeSlice();
    for (const [i, entry] of entries.entries()) {
      if (signal?.aborted === true) return canceled();
      const problem = await copyEntry(root, entry, gate, writer);
      if (problem !== undefined) return problem;
      if (!slice.isOver && i + 1 < entries.length) continue;
      onProgress?.({ phase: "fetch", done: i + 1, total: entries.length, unit: "files" });
      await slice.rest();
    }
    return { ok: true, files: gate.files, bytes: gate.bytes, notes: gate.notes };
  });
}

async function walk(
  from: string,
  { files }: PackLimits,
  gate: EntryGate,
): Promise<
  | { readonly ok: true; readonly root: string; readonly entries: WalkResult["entries"] }
  | PackFailure
> {
  const skip = new NotingSet(LEFT_OUT);
  try {
    const root = realpathSync.native(from);
    const walked = await walkDirectory(root, { skip, maxEntries: files * ENTRIES_PER_FILE });
    for (const name of skip.asked) gate.leaveOut(name);
    if (walked.truncated) {
      return refuse("limit-exceeded", `the folder has more than ${files} files, or is too deep`);
    }
    const [unreadable] = walked.unreadable;
    if (unreadable === undefined) return { ok: true, root, entries: walked.entries };
    return refuse("source-unreachable", `the folder ${quoteName(unreadable)} cannot be read`);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") {
      return refuse("source-missing", `there is no folder ${JSON.stringify(from)}`);
    }
    if (code === undefined && !SkillwrightError.isInstance(error)) throw error;
    return refuse("source-unreachable", `the folder ${JSON.stringify(from)} cannot be read`);
  }
}

/** Remembers which of its names were met: the walk leaves them out without a word. */
class NotingSet extends Set<string> {
  readonly asked = new Set<string>();

  override has(name: string): boolean {
    const isThere = super.has(name);
    if (isThere) this.asked.add(name);
    return isThere;
  }
}

async function copyEntry(
  root: string,
  { path, kind, size }: DirectoryEntry,
  gate: EntryGate,
  writer: TreeWriter,
): Promise<PackFailure | undefined> {
  // In a worktree or submodule it is a file.
  const admitted = gate.admit({ name: path, isFolder: false, size });
  if (!admitted.ok) return admitted;
  if (admitted.path === undefined) return undefined;
  if (kind !== "file")
    return refuseEntry(path, kind === "link" ? "is a symbolic link" : "is not a plain file");
  const opened = await openSettled(root, path.split("/"));
  if (!opened.ok) {
    const why = opened.errorCode ?? opened.reason;
    return refuse("source-unreachable", `the entry ${quoteName(path)} cannot be read (${why})`);
  }
  try {
    return (
      writer.makeFolders() ??
      writer.open(admitted.path, (opened.stats.mode & 0o100) !== 0) ??
      copyContent(opened.descriptor, path, size, writer) ??
      writer.close()
    );
  } finally {
    writer.close();
    closeSync(opened.descriptor);
  }
}

/** As much as it had when it was listed: that is what the limits were held against. */
function copyContent(
  descriptor: number,
  path: string,
  size: number,
  writer: TreeWriter,
): PackFailure | undefined {
  let done = 0;
  for (;;) {
    const taken = readSync(descriptor, PART, 0, PART.length, null);
    done += taken;
    if (done > size || (taken === 0 && done < size)) {
      return refuse("source-unreachable", `the entry ${quoteName(path)} changed while it was read`);
    }
    if (taken === 0) return undefined;
    const problem = writer.append(PART.subarray(0, taken));
    if (problem !== undefined) return problem;
  }
}
