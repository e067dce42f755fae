import {
  errorCode,
  READ_FLAGS,
  readIfPresent,
  removeQuietly,
  syncFolder,
  takeLock,
  waitForLock,
  writeAtomic,
} from "@skillwright/core/internal";
import { randomBytes } from "node:crypto";
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
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { openFolder } from "../workspace/confinement/open-folder.ts";
import type { OpenFolder } from "../workspace/confinement/open-folder.ts";
import {
  type Change,
  contentIdentity,
  identityOf,
  manifestText,
  parseManifest,
  type RealEntry,
  typeOf,
} from "./change.ts";
import { ChangedError, digestOf, Folder, openFile, realEntry } from "./folder.ts";
import { HeldChanges } from "./held.ts";

export interface ApplyOptions {
  /** All that are neither refused nor in conflict, unless given. */
  readonly isSelected?: (change: Change) => boolean;
  /** Called between any two steps that a kill could separate; for tests. */
  readonly onStep?: (step: string) => void;
}

export interface Applied {
  readonly applied: readonly Change[];
  /** What is not as the script saw it, or what the system refused. It stays held. */
  readonly conflicts: readonly { readonly path: string; readonly reason: string }[];
  /** Folder with held changes that undo this; absent when nothing was applied. */
  readonly undo?: string;
}

/** What is under way, in the private folder: the next process goes on from here. */
interface Journal {
  /** `staging` may be dropped; from `changing` on it is carried through. */
  readonly state: "staging" | "changing" | "changed";
  /** Name of a folder in the working directory. */
  readonly stage: string;
  /** Folder of the changes that undo this. */
  readonly undo: string;
  readonly root: string;
  readonly changes: readonly Change[];
  readonly conflicts: readonly Conflict[];
}

const JOURNAL = "applying.json";
const LOCK = "applying.lock";
const STAGE_PREFIX = ".skillwright-apply-";
const STAGE = /^\.skillwright-apply-[0-9a-f]{16}$/;
const OWNER_MAY_ALL = 0o700;
const PATIENCE_MS = 60_000;
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOSYS", "EOPNOTSUPP", "EMLINK", "EXDEV"]);

/**
 * Carries out held changes in the real working directory. Each is checked against what the script
 * saw, prepared in a folder beside, and put in place by one rename. What was there before is kept. A
 * process that is killed leaves a journal, with which the next call for this folder goes on.
 */
export async function applyChanges(folder: string, options: ApplyOptions = {}): Promise<Applied> {
  return locked(folder, async (held) => {
    const step = options.onStep ?? (() => {});
    const finished = await goOn(held, step);
    const manifest = held.read();
    if (manifest === undefined) return finished ?? { applied: [], conflicts: [] };
    const { isSelected = () => true } = options;
    const open = manifest.changes.filter(({ refused }) => refused === undefined);
    const chosen = withParents(open.filter(isSelected), open);
    const conflicts: Conflict[] = [];
    const changes = chosen.filter((change) => {
      const reason = conflictOf(manifest.root, change, chosen);
      if (reason !== undefined) conflicts.push({ path: change.path, reason });
      return reason === undefined;
    });
    if (changes.length === 0) return { applied: [], conflicts };
    const undo = join(held.folder, `undo-${Date.now()}-${randomBytes(4).toString("hex")}`);
    const stage = `${STAGE_PREFIX}${randomBytes(8).toString("hex")}`;
    const journal: Journal = {
      state: "staging",
      stage,
      undo,
      root: manifest.root,
      changes,
      conflicts,
    };
    writeJournal(held, journal);
    step("journal");
    try {
      fillStage(held, journal, step);
    } catch (error) {
      dropStage(held, journal);
      throw error;
    }
    const staged: Journal = { ...journal, state: "changing" };
    writeJournal(held, staged);
    step("staged");
    return finish(held, carryOut(held, staged, step), step);
  });
}

/** What could not be applied now. Nothing is touched. */
export function conflictsIn(folder: string): Applied["conflicts"] {
  const { root = "", changes = [] } = new HeldChanges(folder).read() ?? {};
  const open = changes.filter(({ refused }) => refused === undefined);
  return open.flatMap((change) => {
    const reason = conflictOf(root, change, open);
    return reason === undefined ? [] : [{ path: change.path, reason }];
  });
}

function conflictOf(root: string, change: Change, chosen: readonly Change[]): string | undefined {
  return change.conflict === true ? TOUCHED : checkedPlace(root, change, chosen);
}

/** Finishes, or drops, what a killed process began in this folder. */
export async function recoverChanges(folder: string): Promise<void> {
  if (readJournal(new HeldChanges(folder)) === undefined) return;
  await locked(folder, (held) => goOn(held, () => {}));
}

/**
 * The same for all runs that have their folders beside this one, when a folder in the working
 * directory says that one of them was killed. Those that are still at it go on by themselves.
 */
export async function recoverRoot(root: string, folder: string): Promise<void> {
  if (!readdirSync(root).some((name) => STAGE.test(name))) return;
  const runs = dirname(dirname(folder));
  for (const run of readdirSync(runs)) {
    const held = new HeldChanges(join(runs, run, basename(folder)));
    if (readJournal(held)?.root !== root) continue;
    const lock = takeLock(join(held.folder, LOCK));
    if (!lock.ok) continue;
    try {
      await goOn(held, () => {});
    } finally {
      lock.release();
    }
  }
}

/** Forgets what is held. What was applied stays. */
export async function discardChanges(
  folder: string,
  isSelected: (change: Change) => boolean = () => true,
): Promise<readonly Change[]> {
  return locked(folder, async (held) => {
    await goOn(held, () => {});
    const manifest = held.read();
    if (manifest === undefined) return [];
    const discarded = manifest.changes.filter(isSelected);
    const rest = manifest.changes.filter((change) => !discarded.includes(change));
    if (rest.length === 0) held.discard();
    else held.write({ ...manifest, changes: rest });
    return discarded;
  });
}

type Conflict = Applied["conflicts"][number];
type Step = (name: string) => void;

const TOUCHED = "the file changed while the script ran";

async function locked<T>(folder: string, work: (held: HeldChanges) => T | Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = await waitForLock(join(folder, LOCK), { patienceMs: PATIENCE_MS });
  if (!lock.ok) throw new ChangedError(`another process works on ${folder} and`);
  try {
    return await work(new HeldChanges(folder));
  } finally {
    lock.release();
  }
}

async function goOn(held: HeldChanges, step: Step): Promise<Applied | undefined> {
  const journal = readJournal(held);
  if (journal === undefined) return undefined;
  if (journal.state === "changing") return finish(held, carryOut(held, journal, step), step);
  if (journal.state === "changed") return finish(held, journal, step);
  dropStage(held, journal);
  return undefined;
}

/** A file in a folder that is made with it needs that folder. */
function withParents(chosen: readonly Change[], all: readonly Change[]): readonly Change[] {
  const paths = new Set(
    chosen.flatMap(({ kind, path }) => (kind === "created" ? parentsOf(path) : [])),
  );
  const isNeeded = ({ path, kind, after }: Change) =>
    kind === "created" && after?.type === "folder" && paths.has(path);
  return all.filter((change) => chosen.includes(change) || isNeeded(change));
}

/** Why a change cannot be made, as far as that shows before anything is touched. */
function checkedPlace(root: string, change: Change, chosen: readonly Change[]): string | undefined {
  const { path, kind, before } = change;
  const isReplaced = chosen.some((other) => other.kind === "deleted" && other.path === path);
  if (kind === "created" && (isReplaced || isBelowChange(path, chosen))) return undefined;
  const parent = openFolder(root, parentSegments(path));
  if (!parent.ok) return `its folder cannot be reached (${parent.reason})`;
  try {
    const real = parent.folder.child(nameOf(path));
    const stats = statsOf(real);
    if (kind !== "created") return realProblem(real, stats, before);
    const isThere = change.after?.type === "folder" && stats?.isDirectory() === true;
    return isThere || stats === undefined ? undefined : EXISTS;
  } finally {
    parent.folder.close();
  }
}

const EXISTS = "something else has this name by now";

/** Its folder is made, or made anew, by another change. */
function isBelowChange(path: string, chosen: readonly Change[]): boolean {
  const parents = new Set(parentsOf(path));
  return chosen.some(({ kind, path: other }) => kind === "created" && parents.has(other));
}

/** Whether an entry is still the one that the script saw. */
function realProblem(
  path: string,
  stats: BigIntStats | undefined,
  before: RealEntry | undefined,
): string | undefined {
  if (before === undefined) return stats && EXISTS;
  if (stats === undefined) return "it is gone";
  if (typeOf(stats) !== before.type) return "it is something else by now";
  // What happens in a folder changes its times.
  if (before.type === "folder") {
    return contentIdentity(identityOf(stats)).startsWith(inodeOf(before)) ? undefined : REPLACED;
  }
  if (identityOf(stats) === before.identity) return undefined;
  if (before.digest === undefined || Number(stats.size) !== before.size) return REPLACED;
  return digestAt(path) === before.digest ? undefined : REPLACED;
}

const REPLACED = "the file changed since the script read it";

function inodeOf({ identity }: RealEntry): string {
  return `${identity.split(":").slice(0, 2).join(":")}:`;
}

function digestAt(path: string): string | undefined {
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

/** The new files, complete, under names that only the journal knows. */
function fillStage(held: HeldChanges, { root, stage, changes }: Journal, step: Step): void {
  mkdirSync(join(root, stage), { mode: 0o700 });
  step("stage");
  for (const [index, change] of changes.entries()) {
    const { kind, after, before } = change;
    const isCopied = kind === "mode" && (before?.links ?? 1) > 1;
    if (after?.type === "link") symlinkSync(after.target ?? "", join(root, stage, `n${index}`));
    if (after?.type !== "file" || (kind === "mode" && !isCopied)) continue;
    const target = openSync(join(root, stage, `n${index}`), "wx", 0o600);
    try {
      const digest = after.digest ?? "";
      const source = isCopied ? openReal(root, change.path) : held.open(digest);
      try {
        // What was approved is what is applied.
        if (digestOf(source, target) !== digest)
          throw new ChangedError(`${change.path} was changed`);
      } finally {
        closeSync(source);
      }
      keepOwner(target, root, change);
      fchmodSync(target, after.mode);
      fsyncSync(target);
    } finally {
      closeSync(target);
    }
    step(`stage ${index}`);
  }
  syncFolder(join(root, stage));
}

function openReal(root: string, path: string): number {
  const parent = openFolder(root, parentSegments(path));
  if (!parent.ok) throw new ChangedError(path);
  try {
    const folder = Folder.open(parent.folder.itself);
    try {
      return openFile(folder, nameOf(path));
    } finally {
      folder.close();
    }
  } finally {
    parent.folder.close();
  }
}

function keepOwner(descriptor: number, root: string, { path, before }: Change): void {
  if (before === undefined || process.getuid?.() !== 0) return;
  const stats = statsOf(join(root, path));
  if (stats === undefined || identityOf(stats) !== before.identity) return;
  fchownSync(descriptor, Number(stats.uid), Number(stats.gid));
}

/** Every step is done once, however often this runs: what the stage still holds says what is left. */
function carryOut(held: HeldChanges, journal: Journal, step: Step): Journal {
  const { root, stage } = journal;
  const conflicts: Conflict[] = [...journal.conflicts];
  const changes: Change[] = [];
  const opened = openFolder(root, [stage]);
  if (!opened.ok) throw new Error(`${join(root, stage)} is missing, which holds changes`);
  try {
    for (const [index, change] of journal.changes.entries()) {
      const reason = tryChange(root, opened.folder, index, change, step);
      if (reason === undefined) changes.push(change);
      else conflicts.push({ path: change.path, reason });
      step(`change ${index}`);
    }
    for (const change of changes.toReversed()) setFolderMode(root, change);
    writeUndo(journal, opened.folder, changes);
  } finally {
    opened.folder.close();
  }
  const changed: Journal = { ...journal, state: "changed", changes, conflicts };
  writeJournal(held, changed);
  step("changed");
  return changed;
}

/** Keeps what was there before, and forgets what is done. */
function finish(held: HeldChanges, journal: Journal, step: Step): Applied {
  const { root, stage, undo, changes, conflicts } = journal;
  const opened = openFolder(root, [stage]);
  if (opened.ok) {
    try {
      moveToUndo(undo, opened.folder, step);
    } finally {
      opened.folder.close();
    }
  }
  const manifest = held.read();
  if (manifest !== undefined) {
    const done = new Set(changes.map(keyOf));
    const rest = manifest.changes.filter((change) => !done.has(keyOf(change)));
    if (rest.length === 0) held.discard();
    else held.write({ root, changes: rest });
  }
  step("manifest");
  dropStage(held, journal);
  return { applied: changes, conflicts, ...(changes.length > 0 && { undo }) };
}

function tryChange(
  root: string,
  stage: OpenFolder,
  index: number,
  change: Change,
  step: Step,
): string | undefined {
  const parent = openFolder(root, parentSegments(change.path));
  if (!parent.ok) return `its folder cannot be reached (${parent.reason})`;
  const { folder } = parent;
  try {
    const real = folder.child(nameOf(change.path));
    const fresh = stage.child(`n${index}`);
    const old = stage.child(`o${index}`);
    if (!folder.isInPlace()) return "its folder was moved";
    const { kind, after, before } = change;
    if (kind === "deleted") {
      return before?.type === "folder" ? removeFolder(real, before) : putAside(real, old, before);
    }
    if (kind === "created")
      return after?.type === "folder" ? make(real, change) : place(fresh, real, step);
    if (statsOf(fresh) === undefined && statsOf(old) !== undefined) return undefined;
    if (kind === "mode" && statsOf(fresh) === undefined) return setMode(folder, change);
    return replace(fresh, real, old, before, step);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return `the system refused it (${code})`;
  } finally {
    folder.close();
  }
}

/** Puts a new file where nothing is. */
function place(fresh: string, real: string, step: Step): string | undefined {
  const stats = statsOf(fresh);
  if (stats === undefined) return undefined;
  try {
    linkSync(fresh, real);
  } catch (error) {
    const there = statsOf(real);
    if (errorCode(error) === "EEXIST" && there?.ino !== stats.ino) return EXISTS;
    if (errorCode(error) !== "EEXIST") {
      if (!NO_LINKS.has(errorCode(error) ?? "")) throw error;
      if (there !== undefined) return EXISTS;
      renameSync(fresh, real);
      return undefined;
    }
  }
  step("placed");
  unlinkSync(fresh);
  return undefined;
}

/** Puts a file in place of another. The old one keeps a name in the stage. */
function replace(
  fresh: string,
  real: string,
  old: string,
  before: RealEntry | undefined,
  step: Step,
): string | undefined {
  if (statsOf(old) === undefined) {
    const problem = realProblem(real, statsOf(real), before);
    if (problem !== undefined) return problem;
    try {
      linkSync(real, old);
    } catch (error) {
      if (!NO_LINKS.has(errorCode(error) ?? "")) throw error;
      renameSync(real, old);
    }
  }
  step("kept");
  // Someone may have saved the file right now.
  const [kept, now] = [statsOf(old), statsOf(real)];
  if (now !== undefined && now.ino !== kept?.ino) {
    unlinkSync(old);
    return REPLACED;
  }
  renameSync(fresh, real);
  if (!wasWritten(old, before)) return undefined;
  renameSync(old, real);
  return REPLACED;
}

function putAside(real: string, old: string, before: RealEntry | undefined): string | undefined {
  if (statsOf(old) !== undefined) return undefined;
  const stats = statsOf(real);
  if (stats === undefined) return undefined;
  const problem = realProblem(real, stats, before);
  if (problem !== undefined) return problem;
  renameSync(real, old);
  if (!wasWritten(old, before)) return undefined;
  // Nothing else can have taken the name in so short a time but by intent.
  if (statsOf(real) === undefined) renameSync(old, real);
  return REPLACED;
}

/** Between the check and the rename. A new name changes only one of the times. */
function wasWritten(path: string, before: RealEntry | undefined): boolean {
  const stats = statsOf(path);
  if (stats === undefined || before === undefined) return false;
  if (contentIdentity(identityOf(stats)) === contentIdentity(before.identity)) return false;
  return before.digest === undefined || digestAt(path) !== before.digest;
}

function make(real: string, { after }: Change): string | undefined {
  const stats = statsOf(real);
  if (stats !== undefined) return stats.isDirectory() ? undefined : EXISTS;
  mkdirSync(real);
  const folder = Folder.open(real);
  try {
    fchmodSync(folder.descriptor, OWNER_MAY_ALL | (after?.mode ?? 0));
  } finally {
    folder.close();
  }
  return undefined;
}

function removeFolder(real: string, before: RealEntry): string | undefined {
  const stats = statsOf(real);
  // It may have been made anew: then it has another number.
  if (stats === undefined || !stats.isDirectory()) return undefined;
  if (realProblem(real, stats, before) !== undefined) return undefined;
  try {
    rmdirSync(real);
    return undefined;
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "")) throw error;
    return "it holds something that stays";
  }
}

function setMode(folder: OpenFolder, change: Change): string | undefined {
  const { path, before, after } = change;
  const name = nameOf(path);
  const stats = statsOf(folder.child(name));
  if (after === undefined || before === undefined) return undefined;
  if (stats !== undefined && (Number(stats.mode) & 0o777) === after.mode) return undefined;
  const problem = realProblem(folder.child(name), stats, before);
  if (problem !== undefined) return problem;
  const opened = Folder.open(folder.itself);
  try {
    opened.setMode(name, after.type === "folder" ? OWNER_MAY_ALL | after.mode : after.mode);
  } finally {
    opened.close();
  }
  return undefined;
}

/** Last, since the mode of a folder may forbid what is made in it. */
function setFolderMode(root: string, { path, after }: Change): void {
  if (after?.type !== "folder") return;
  const parent = openFolder(root, parentSegments(path));
  if (!parent.ok) return;
  const folder = Folder.open(parent.folder.itself);
  try {
    if (folder.stats(nameOf(path))?.isDirectory() === true)
      folder.setMode(nameOf(path), after.mode);
  } finally {
    folder.close();
    parent.folder.close();
  }
}

/** Changes that lead back, in the same form. */
function writeUndo(journal: Journal, stage: OpenFolder, applied: readonly Change[]): void {
  const { root, undo, changes } = journal;
  if (applied.length === 0) return;
  const back = applied.map((change): Change => {
    const { path, kind, before } = change;
    const old = stage.child(`o${changes.indexOf(change)}`);
    const digest = statsOf(old)?.isFile() === true ? digestAt(old) : before?.digest;
    const now = realNow(root, path);
    return {
      path,
      kind: kind === "created" ? "deleted" : kind === "deleted" ? "created" : kind,
      ...(now !== undefined && { before: now }),
      ...(before !== undefined && { after: { ...before, ...(digest && { digest }) } }),
    };
  });
  new HeldChanges(undo).write({ root, changes: inOrder(back) });
}

/** The old files, under their digests. */
function moveToUndo(undo: string, stage: OpenFolder, step: Step): void {
  const held = new HeldChanges(undo);
  for (const name of readdirSync(stage.itself)) {
    const old = stage.child(name);
    if (!name.startsWith("o") || statsOf(old)?.isFile() !== true) continue;
    held.moveIn(old, digestAt(old) ?? "");
    step("undo");
  }
}

function inOrder(changes: readonly Change[]): readonly Change[] {
  const sorted = changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const deleted = sorted.filter(({ kind }) => kind === "deleted").toReversed();
  return [...deleted, ...sorted.filter(({ kind }) => kind !== "deleted")];
}

function realNow(root: string, path: string): RealEntry | undefined {
  const parent = openFolder(root, parentSegments(path));
  if (!parent.ok) return undefined;
  try {
    const stats = statsOf(parent.folder.child(nameOf(path)));
    return stats && realEntry(stats);
  } finally {
    parent.folder.close();
  }
}

function writeJournal(held: HeldChanges, { changes, root, ...rest }: Journal): void {
  const text = JSON.stringify({ ...rest, manifest: manifestText({ root, changes }) });
  writeAtomic(join(held.folder, JOURNAL), text, { flush: true });
}

function readJournal(held: HeldChanges): Journal | undefined {
  const text = readIfPresent(join(held.folder, JOURNAL))?.toString("utf8");
  if (text === undefined) return undefined;
  const { manifest, ...rest } = JSON.parse(text) as Journal & { readonly manifest: string };
  const parsed = parseManifest(manifest);
  if (parsed === undefined || !STAGE.test(rest.stage)) {
    throw new Error(`${join(held.folder, JOURNAL)} cannot be read`);
  }
  return { ...rest, ...parsed };
}

/** The journal goes last: until then the next process knows what to remove. */
function dropStage(held: HeldChanges, { root, stage }: Journal): void {
  rmSync(join(root, stage), { recursive: true, force: true });
  removeQuietly(join(held.folder, JOURNAL));
}

function statsOf(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

function keyOf({ path, kind }: Change): string {
  return `${kind}:${path}`;
}

function nameOf(path: string): string {
  return path.split("/").at(-1) ?? "";
}

function parentSegments(path: string): readonly string[] {
  return path.split("/").slice(0, -1);
}

function parentsOf(path: string): readonly string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, i) => segments.slice(0, i + 1).join("/"));
}
