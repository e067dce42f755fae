import {
  readIfPresent,
  removeQuietly,
  takeLock,
  waitForLock,
  writeAtomic,
} from "@skillwright/core/internal";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  ChangedError,
  inFolder,
  openFolder,
  type OpenFolder,
} from "../workspace/confinement/open-folder.ts";
import { carryOut, digestAt, fillStage, realNow, setFolderMode, type Step } from "./carry-out.ts";
import { type Change, HeldChanges, manifestText, parentsOf, parseManifest } from "./change.ts";

export interface ApplyOptions {
  /** All that are neither refused nor in conflict, unless given. */
  readonly isSelected?: (change: Change) => boolean;
  /** For tests. */
  readonly onStep?: Step;
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
  readonly conflicts: Applied["conflicts"];
}

const JOURNAL = "applying.json";
const LOCK = "applying.lock";
const UNDO_PREFIX = "undo-";
const STAGE_PREFIX = ".skillwright-apply-";
const STAGE = /^\.skillwright-apply-[0-9a-f]{16}$/;
const PATIENCE_MS = 60_000;
const NO_STEP: Step = () => {};

/**
 * Carries out held changes in the real working directory. Each is prepared in a folder beside, checked
 * against what the script saw, and put in place by one rename. What was there before is kept. A
 * process that is killed leaves a journal, with which the next call for this folder goes on.
 */
export async function applyChanges(
  folder: string,
  { isSelected = () => true, onStep: step = NO_STEP }: ApplyOptions = {},
): Promise<Applied> {
  return locked(folder, (held) => {
    const finished = goOn(held, step);
    const manifest = held.read();
    if (manifest === undefined) return finished ?? { applied: [], conflicts: [] };
    const { root } = manifest;
    const open = manifest.changes.filter(({ refused }) => refused === undefined);
    const changes = withFolders(open.filter(isSelected), open);
    if (changes.length === 0) return { applied: [], conflicts: [] };
    const undo = join(held.folder, `${UNDO_PREFIX}${Date.now()}-${randomBytes(4).toString("hex")}`);
    const stage = `${STAGE_PREFIX}${randomBytes(8).toString("hex")}`;
    const journal: Journal = { state: "staging", stage, undo, root, changes, conflicts: [] };
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
    return finish(held, changeAll(held, staged, step), step);
  });
}

/** Finishes, or drops, what a killed process began in this folder. */
export async function recoverChanges(folder: string): Promise<void> {
  if (readJournal(new HeldChanges(folder)) === undefined) return;
  await locked(folder, (held) => goOn(held, NO_STEP));
}

/**
 * The same for all runs that have their folders beside this one, when a folder in the working
 * directory says that one of them was killed. Those that are still at it go on by themselves.
 */
export function recoverRoot(root: string, folder: string): void {
  if (!readdirSync(root).some((name) => STAGE.test(name))) return;
  const runs = dirname(dirname(folder));
  const places = readdirSync(runs).map((run) => join(runs, run, basename(folder)));
  for (const place of places.flatMap((each) => [each, ...undoFolders(each)])) {
    const held = new HeldChanges(place);
    if (readJournal(held)?.root !== root) continue;
    const lock = takeLock(join(held.folder, LOCK));
    if (!lock.ok) continue;
    try {
      goOn(held, NO_STEP);
    } finally {
      lock.release();
    }
  }
}

/** Folders of the changes that undo what was applied from this one. */
export function undoFolders(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.startsWith(UNDO_PREFIX));
  return names.map((name) => join(folder, name));
}

/** Forgets what is held. What was applied stays. */
export async function discardChanges(
  folder: string,
  isSelected: (change: Change) => boolean = () => true,
): Promise<readonly Change[]> {
  return locked(folder, (held) => {
    goOn(held, NO_STEP);
    return forget(held, isSelected);
  });
}

async function locked<T>(folder: string, work: (held: HeldChanges) => T): Promise<T> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = await waitForLock(join(folder, LOCK), { patienceMs: PATIENCE_MS });
  if (!lock.ok) throw new ChangedError(folder, "is in use by another process");
  try {
    return work(new HeldChanges(folder));
  } finally {
    lock.release();
  }
}

function goOn(held: HeldChanges, step: Step): Applied | undefined {
  const journal = readJournal(held);
  if (journal === undefined) return undefined;
  if (journal.state === "changing") return finish(held, changeAll(held, journal, step), step);
  if (journal.state === "changed") return finish(held, journal, step);
  dropStage(held, journal);
  return undefined;
}

/** A file in a folder that is made with it needs that folder. */
function withFolders(chosen: readonly Change[], all: readonly Change[]): readonly Change[] {
  const created = chosen.filter(({ kind }) => kind === "created");
  const paths = new Set(created.flatMap(({ path }) => parentsOf(path)));
  const picked = new Set(chosen);
  return all.filter((change) => {
    const { path, kind, after } = change;
    const isFolder = kind === "created" && after?.type === "folder";
    return picked.has(change) || (isFolder && paths.has(path));
  });
}

function changeAll(held: HeldChanges, journal: Journal, step: Step): Journal {
  const { root, stage } = journal;
  const conflicts: Journal["conflicts"][number][] = [];
  const changes: Change[] = [];
  const opened = openFolder(root, [stage]);
  if (!opened.ok) throw new Error(`${join(root, stage)} is missing, which holds changes`);
  const { folder } = opened;
  try {
    for (const [index, change] of journal.changes.entries()) {
      const reason = carryOut(root, folder, index, change, step);
      if (reason === undefined) changes.push(change);
      else conflicts.push({ path: change.path, reason });
      step(`change ${index}`);
    }
    for (const change of changes.toReversed()) setFolderMode(root, change);
    if (changes.length > 0) writeUndo(journal, folder, changes);
  } finally {
    folder.close();
  }
  const changed: Journal = { ...journal, state: "changed", changes, conflicts };
  writeJournal(held, changed);
  step("changed");
  return changed;
}

/** Keeps what was there before, and forgets what is done. */
function finish(held: HeldChanges, journal: Journal, step: Step): Applied {
  const { root, stage, undo, changes, conflicts } = journal;
  inFolder(root, [stage], (folder) => {
    for (const name of folder.names()) {
      const digest = name.startsWith("o") ? digestAt(folder.child(name)) : undefined;
      if (digest === undefined) continue;
      new HeldChanges(undo).moveIn(folder.child(name), digest);
      step("undo");
    }
  });
  const done = new Set(changes.map(keyOf));
  forget(held, (change) => done.has(keyOf(change)));
  step("manifest");
  dropStage(held, journal);
  return { applied: changes, conflicts, ...(changes.length > 0 && { undo }) };
}

function forget(held: HeldChanges, isDone: (change: Change) => boolean): readonly Change[] {
  const manifest = held.read();
  if (manifest === undefined) return [];
  const done = new Set(manifest.changes.filter(isDone));
  const changes = manifest.changes.filter((change) => !done.has(change));
  if (changes.length === 0) held.discard();
  else held.write({ ...manifest, changes });
  return [...done];
}

/** Changes that lead back, in the same form. */
function writeUndo(
  { root, undo, changes }: Journal,
  stage: OpenFolder,
  applied: readonly Change[],
): void {
  const indexes = new Map(changes.map((change, index) => [change, index]));
  const back = applied.map((change): Change => {
    const { path, kind, before, after } = change;
    const old = digestAt(stage.child(`o${indexes.get(change)}`));
    const now = realNow(root, path);
    return {
      path,
      kind: BACK[kind],
      // With its content: after a later change was undone, it is another file with the same one.
      ...(now && { before: { ...now, ...(after?.digest && { digest: after.digest }) } }),
      ...(before && { after: { ...before, ...(old && { digest: old }) } }),
    };
  });
  const sorted = back.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const deleted = sorted.filter(({ kind }) => kind === "deleted").toReversed();
  const rest = sorted.filter(({ kind }) => kind !== "deleted");
  new HeldChanges(undo).write({ root, changes: [...deleted, ...rest] });
}

const BACK = {
  created: "deleted",
  deleted: "created",
  modified: "modified",
  mode: "mode",
} as const;

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

function keyOf({ path, kind }: Change): string {
  return `${kind}:${path}`;
}
