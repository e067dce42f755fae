import { errorCode, READ_FLAGS, syncFolder } from "@skillwright/core/internal";
import {
  type BigIntStats,
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { join } from "node:path";
import {
  atPath,
  failsWith,
  openFolder,
  type OpenFolder,
} from "../workspace/confinement/open-folder.ts";
import {
  type Change,
  copyVerified,
  digestOf,
  type HeldChanges,
  identityOf,
  modeOf,
  type RealEntry,
  realEntryOf,
  typeOf,
} from "./change.ts";

/** Called between any two steps that a kill could separate. */
export type Step = (name: string) => void;

/** Why a change cannot be made; undefined when it is made. */
type Problem = string | undefined;

const OWNER_MAY_ALL = 0o700;
const NO_LINKS = "EPERM ENOSYS EOPNOTSUPP EMLINK EXDEV";

const EXISTS = "something else has this name by now";
const REPLACED = "the file changed meanwhile";

/** The new files, complete, in a folder of the working directory that only the journal knows. */
export function fillStage(
  held: HeldChanges,
  { root, stage, changes }: { root: string; stage: string; changes: readonly Change[] },
  step: Step,
): void {
  mkdirSync(join(root, stage), { mode: 0o700 });
  step("stage");
  for (const [index, change] of changes.entries()) {
    const { kind, path, after } = change;
    const target = join(root, stage, `n${index}`);
    if (after?.type === "link") symlinkSync(after.target ?? "", target);
    if (after?.type !== "file") continue;
    const digest = after.digest ?? "";
    const source =
      kind === "mode" ? linkedFile(root, change) : openSync(held.contentPath(digest), READ_FLAGS);
    if (source === undefined) continue;
    // What was approved is what is applied.
    copyVerified(source, target, digest, (to) => {
      keepOwner(to, join(root, path), change);
      fchmodSync(to, after.mode);
      fsyncSync(to);
    });
    step(`stage ${index}`);
  }
  syncFolder(join(root, stage));
}

/** A file with several names is copied, so that its mode changes under this one only. */
function linkedFile(root: string, { path, before }: Change): number | undefined {
  if (before === undefined || before.links <= 1) return undefined;
  return atPath(root, path, (folder, name) =>
    realProblem(folder.child(name), before) === undefined ? folder.open(name) : undefined,
  );
}

function keepOwner(descriptor: number, path: string, { before }: Change): void {
  if (before === undefined || process.getuid?.() !== 0) return;
  const stats = statsOf(path);
  if (stats === undefined || identityOf(stats) !== before.identity) return;
  fchownSync(descriptor, Number(stats.uid), Number(stats.gid));
}

/** Makes one change, once, however often this runs: what the stage still holds says what is left. */
export function carryOut(
  root: string,
  stage: OpenFolder,
  index: number,
  change: Change,
  step: Step,
): Problem {
  if (change.conflict === true) return "the file changed while the script ran";
  const segments = change.path.split("/");
  const parent = openFolder(root, segments.slice(0, -1));
  if (!parent.ok) return `its folder cannot be reached (${parent.reason})`;
  const { folder } = parent;
  try {
    if (!folder.isInPlace()) return "its folder was moved";
    const name = segments.at(-1) ?? "";
    const fresh = stage.child(`n${index}`);
    const old = stage.child(`o${index}`);
    // A file that is undone may take the place of a folder that goes first, and the other way round.
    const subject = change.kind === "created" ? change.after : change.before;
    return subject?.type === "folder"
      ? changeFolder(folder, name, change)
      : changeFile(folder, name, { ...change, fresh, old, step });
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return `the system refused it (${code})`;
  } finally {
    folder.close();
  }
}

function changeFolder(folder: OpenFolder, name: string, change: Change): Problem {
  const { kind, before, after } = change;
  const real = folder.child(name);
  const stats = statsOf(real);
  if (kind === "created") {
    if (stats !== undefined) return stats.isDirectory() ? undefined : EXISTS;
    mkdirSync(real);
    folder.setMode(name, OWNER_MAY_ALL | (after?.mode ?? 0));
    return undefined;
  }
  if (kind === "mode") {
    const problem = realProblem(real, before);
    if (problem === undefined) folder.setMode(name, OWNER_MAY_ALL | (after?.mode ?? 0));
    return problem;
  }
  // It may have been made anew: then it has another number.
  if (stats?.isDirectory() !== true || realProblem(real, before) !== undefined) return undefined;
  const isFull = failsWith("ENOTEMPTY EEXIST", () => rmdirSync(real));
  return isFull ? "it holds something that stays" : undefined;
}

/** Last, since the mode of a folder may forbid what is made in it. */
export function setFolderMode(root: string, { path, after }: Change): void {
  if (after?.type !== "folder") return;
  atPath(root, path, (folder, name) => {
    if (folder.stats(name)?.isDirectory() === true) folder.setMode(name, after.mode);
  });
}

interface FileChange extends Change {
  /** Of the new file in the stage. */
  readonly fresh: string;
  /** For the old file in the stage. */
  readonly old: string;
  readonly step: Step;
}

function changeFile(folder: OpenFolder, name: string, change: FileChange): Problem {
  const real = folder.child(name);
  if (change.kind === "created") return place(real, change);
  if (change.kind === "deleted") return putAside(real, change);
  if (statsOf(change.fresh) !== undefined) return replace(real, change);
  if (statsOf(change.old) !== undefined) return undefined;
  return change.kind === "mode" ? setMode(folder, name, change) : REPLACED;
}

function setMode(folder: OpenFolder, name: string, { before, after }: Change): Problem {
  const stats = folder.stats(name);
  if (after === undefined || (stats && modeOf(stats) === after.mode)) return undefined;
  // One with several names would have been copied.
  const isCopied = (before?.links ?? 1) > 1;
  const problem = realProblem(folder.child(name), before) ?? (isCopied ? REPLACED : undefined);
  if (problem === undefined) folder.setMode(name, after.mode);
  return problem;
}

/** Puts a new file where nothing is. */
function place(real: string, { fresh, step }: FileChange): Problem {
  const stats = statsOf(fresh);
  if (stats === undefined) return undefined;
  const failed = failsWith(`EEXIST ${NO_LINKS}`, () => linkSync(fresh, real));
  const there = statsOf(real);
  if (failed !== undefined && there !== undefined && there.ino !== stats.ino) return EXISTS;
  if (failed !== undefined && there === undefined) {
    renameSync(fresh, real);
    return undefined;
  }
  step("placed");
  unlinkSync(fresh);
  return undefined;
}

/** Puts a file in place of another. The old one keeps a name in the stage. */
function replace(real: string, { fresh, old, before, step }: FileChange): Problem {
  if (statsOf(old) === undefined) {
    const problem = realProblem(real, before);
    if (problem !== undefined) return problem;
    if (failsWith(NO_LINKS, () => linkSync(real, old))) renameSync(real, old);
  }
  step("kept");
  // Someone may have saved the file right now.
  const now = statsOf(real);
  if (now !== undefined && now.ino !== statsOf(old)?.ino) {
    unlinkSync(old);
    return REPLACED;
  }
  renameSync(fresh, real);
  if (!wasWritten(old, before)) return undefined;
  renameSync(old, real);
  return REPLACED;
}

function putAside(real: string, { old, before }: FileChange): Problem {
  if (statsOf(old) !== undefined) return undefined;
  const problem = realProblem(real, before);
  if (problem !== undefined) return problem;
  renameSync(real, old);
  if (!wasWritten(old, before)) return undefined;
  // Nothing else can have taken the name in so short a time but by intent.
  if (statsOf(real) === undefined) renameSync(old, real);
  return REPLACED;
}

/** Whether an entry is still the one that the script saw. */
function realProblem(path: string, before: RealEntry | undefined): Problem {
  const stats = statsOf(path);
  if (before === undefined) return stats && EXISTS;
  if (stats === undefined) return "it is gone";
  if (typeOf(stats) !== before.type) return "it is something else by now";
  // What happens in a folder changes its times.
  const parts = before.type === "folder" ? 2 : 5;
  if (isSame(identityOf(stats), before.identity, parts)) return undefined;
  const isReplaced = before.digest === undefined || Number(stats.size) !== before.size;
  return isReplaced || digestAt(path) !== before.digest ? REPLACED : undefined;
}

/** Between the check and the rename. A new name changes only the last of the times. */
function wasWritten(path: string, before: RealEntry | undefined): boolean {
  const stats = statsOf(path);
  if (stats === undefined || before === undefined) return false;
  if (isSame(identityOf(stats), before.identity, 4)) return false;
  return before.digest === undefined || digestAt(path) !== before.digest;
}

/** Device and number of a file, then its size and times. */
function isSame(identity: string, other: string, parts: number): boolean {
  const first = (text: string) => text.split(":").slice(0, parts).join(":");
  return first(identity) === first(other);
}

/** Undefined for what is no regular file, or cannot be read. */
export function digestAt(path: string): string | undefined {
  try {
    const descriptor = openSync(path, READ_FLAGS);
    try {
      return fstatSync(descriptor).isFile() ? digestOf(descriptor) : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** What has the name in the working directory now. */
export function realNow(root: string, path: string): RealEntry | undefined {
  return atPath(root, path, (folder, name) => {
    const stats = statsOf(folder.child(name));
    return stats && realEntryOf(stats);
  });
}

function statsOf(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}
