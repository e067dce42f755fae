import { syncFolder } from "@skillwright/core/internal";
import { accessSync, constants, lstatSync, rmSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { PackFailure } from "../pack-failure.ts";
import type { Change, Move } from "./change.ts";
import { folderMark } from "./files/folder-mark.ts";
import { folderNameProblem, overlap } from "./files/folder-name.ts";
import { plainFolder, standing } from "./files/plain-path.ts";
import { replaceFile } from "./files/replace-file.ts";
import { syncStaged } from "./files/sync-staged.ts";
import {
  type ChangedFolder,
  changedFolders,
  type HistoryEntry,
  readHistory,
} from "./history/history.ts";
import { carryOut } from "./journal/carry-out.ts";
import { finishJournal } from "./journal/finish-journal.ts";
import {
  isStagedPath,
  type Journal,
  JOURNAL,
  type JournalLock,
  type JournalMove,
} from "./journal/journal.ts";
import { stagedSource } from "./journal/place-folder.ts";
import { readLockFile } from "./journal/write-lock-file.ts";
import { freshId, type RootContext } from "./root-context.ts";
import { rootFailure, RootRefusal } from "./root-refusal.ts";
import { signedText } from "./signing/signed-text.ts";

export interface AppliedChange {
  readonly ok: true;
  /** Names its backup and history entry. */
  readonly id: string;
  readonly title: string;
  readonly folders: readonly ChangedFolder[];
}

/**
 * Carries out a change wholly or not at all. A failure before the journal stands leaves everything
 * as it was. One after it says so: the change is then finished by whoever opens the root next.
 */
export async function applyChange(
  context: RootContext,
  change: Change,
  undoes?: string,
): Promise<AppliedChange | PackFailure> {
  const { signal, onStep } = context;
  const doing = `cannot ${change.title}`;
  let journal: Journal;
  try {
    signal?.throwIfAborted();
    await finishJournal(context);
    const moves = checkChange(context, change);
    await onStep?.({ step: "sync-staged", when: "before" });
    const digests = new Map(change.moves.map(({ folder, digest }) => [folder, digest]));
    const sealed = await sealMoves(context, moves, digests);
    await onStep?.({ step: "sync-staged", when: "after" });
    journal = decide(context, change, sealed, undoes);
    signal?.throwIfAborted();
    await writeJournal(context, journal);
  } catch (error) {
    if (signal?.aborted === true) return canceled(change.title);
    return rootFailure(error, doing);
  }
  try {
    await onStep?.({ step: "write-journal", when: "after" });
    return applied(await carryOut(context, journal));
  } catch (error) {
    const { hint, ...failure } = rootFailure(error, `${change.title} is decided but not finished`);
    const next = "the next command that changes this root finishes it";
    return { ...failure, hint: hint === undefined ? next : `${hint}; ${next}` };
  }
}

function canceled(title: string): PackFailure {
  return { ok: false, code: "canceled", message: `${title} was canceled; nothing was changed` };
}

async function sealMoves(
  { state, signal }: RootContext,
  moves: readonly Omit<JournalMove, "after">[],
  digests: ReadonlyMap<string, string | undefined>,
): Promise<readonly JournalMove[]> {
  const sealed: JournalMove[] = [];
  const folders: string[] = [];
  const parents = new Set<string>();
  for (const move of moves) {
    if (move.staged === undefined) {
      sealed.push({ ...move, after: null });
      continue;
    }
    const source = stagedSource(state.folder, move.staged);
    const isFolder = standing(source)?.isDirectory() === true;
    const digest = isFolder ? digests.get(move.folder) : undefined;
    sealed.push({ ...move, after: digest ?? (await folderMark(source, signal)) });
    if (isFolder) folders.push(source);
    parents.add(dirname(source));
  }
  await syncStaged(folders, state.folder, signal);
  for (const parent of parents) syncFolder(parent);
  syncFolder(state.staging);
  return sealed;
}

function decide(
  context: RootContext,
  change: Change,
  moves: readonly JournalMove[],
  undoes: string | undefined,
): Journal {
  const { scope, state, clock, ids } = context;
  let id = freshId(ids);
  while (standing(join(state.backups, id)) !== undefined) id = freshId(ids);
  const locks: JournalLock[] = [];
  const addLock = (kind: JournalLock["kind"], file?: string, after?: string | null) => {
    if (after === undefined || file === undefined) return;
    locks.push({ kind, file, before: readLockFile(scope, file), after });
  };
  addLock("lock", scope.lockFile, change.lock);
  addLock("sharedLock", scope.sharedLockFile, change.sharedLock);
  return {
    schemaVersion: 1,
    id,
    sequence: (readHistory(state, context).entries[0]?.sequence ?? 0) + 1,
    title: change.title,
    time: clock(),
    ...(undoes !== undefined && { undoes }),
    moves,
    locks,
  };
}

async function writeJournal(context: RootContext, journal: Journal): Promise<void> {
  const { state, onStep } = context;
  await onStep?.({ step: "write-journal", when: "before" });
  try {
    await replaceFile(state.journal, signedText(JOURNAL, journal, context), {
      temporary: join(state.staging, `${journal.id}.journal`),
      onWritten: () => onStep?.({ step: "write-journal", when: "between" }),
    });
  } catch (error) {
    // It may stand already without being known to last. Nothing was moved yet: it is taken back.
    rmSync(state.journal, { force: true });
    syncFolder(state.folder);
    throw error;
  }
}

function applied(entry: HistoryEntry): AppliedChange {
  return { ok: true, id: entry.id, title: entry.title, folders: changedFolders(entry) };
}

/**
 * Looks at everything that can be known to go wrong later while nothing is decided yet. Throws a
 * refusal for what lies in the root, and an error for a change that must not have been asked for.
 */
function checkChange(
  context: RootContext,
  { moves }: Change,
): readonly Omit<JournalMove, "after">[] {
  const both = overlap(moves.map(({ folder }) => folder));
  if (both !== undefined) {
    throw new RootRefusal(`${both[0]} and ${both[1]} are in each other's place`, {
      code: "name-taken",
    });
  }
  const device = lstatSync(context.root).dev;
  return moves.map((move) => checkMove(context, move, device));
}

function checkMove(
  { root, state }: RootContext,
  { folder, staged }: Move,
  device: number,
): Omit<JournalMove, "after"> {
  const problem = folderNameProblem(folder);
  if (problem !== undefined) {
    throw new Error(`the folder ${JSON.stringify(folder)} cannot be placed: ${problem}`);
  }
  const segments = folder.split("/");
  const parent = plainFolder(root, segments.slice(0, -1));
  if (parent !== undefined) checkMovable(join(parent, segments.at(-1)!), device);
  if (staged === undefined) return { folder };
  const path = relative(state.folder, staged).split(sep).join("/");
  if (!isStagedPath(path)) throw new Error(`${staged} is not a staged folder of this root`);
  const source = stagedSource(state.folder, path);
  const stats = standing(source);
  // Whatever a person had in the place of a skill comes back as it was.
  const isPlaceable = path.startsWith("staging/")
    ? stats?.isDirectory() === true || stats?.isSymbolicLink() === true
    : stats !== undefined;
  if (!isPlaceable) throw new Error(`${staged} is neither a folder nor a link`);
  checkMovable(source, device);
  return { folder, staged: path };
}

/** A folder that another file system hangs in, or that may not be written, cannot be renamed. */
function checkMovable(path: string, device: number): void {
  const stats = standing(path);
  if (stats === undefined) return;
  if (stats.dev !== device) throw new RootRefusal(`${path} is on another file system`);
  if (stats.isDirectory()) accessSync(path, constants.W_OK);
}
