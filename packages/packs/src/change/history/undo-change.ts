import { dirname, join } from "node:path";
import { readIfPresent } from "@skillwright/core/internal";
import type { PackFailure } from "../../pack-failure.ts";
import type { AppliedChange } from "../apply-change.ts";
import { textDigest } from "../journal/carry-out.ts";
import type { Change, Move } from "../change.ts";
import { finishJournal } from "../journal/finish-journal.ts";
import { folderMark } from "../files/folder-mark.ts";
import { type HistoryEntry, type HistoryLock, type HistoryMove, readHistory } from "./history.ts";
import { lockPath } from "../journal/journal.ts";
import type { OpenRoot } from "../open-root.ts";
import { backupFolder } from "../journal/place-folder.ts";
import { plainFolder } from "../files/plain-path.ts";
import type { RootContext } from "../root-context.ts";
import { RootRefusal, rootFailure } from "../root-refusal.ts";
import { lockBackup, readLockFile } from "../journal/write-lock-file.ts";

export interface UndoOptions {
  /** Takes back the last undo instead, unless something was changed since. */
  readonly redo?: boolean;
  /** Also when what the change put there was edited since; the edits go to the backup. */
  readonly force?: boolean;
}

export interface UndoneChange extends AppliedChange {
  /** Title of the change that was taken back. */
  readonly undid: string;
}

/**
 * Takes the last change back that is still in effect: what stood at each place comes from the backup, the
 * lock files get the texts they had. Done again, it goes one change further back; with `redo` forward again.
 */
export async function undoChange(
  root: OpenRoot,
  { force = false, redo = false }: UndoOptions = {},
): Promise<UndoneChange | PackFailure> {
  const { context } = root;
  let entry: HistoryEntry | undefined;
  let change: Change;
  try {
    await finishJournal(context);
    const { done, undone } = changeStacks(readHistory(context.state, context).entries);
    entry = (redo ? undone : done).at(-1);
    if (entry === undefined) {
      const what = redo
        ? "nothing was undone since the last change of"
        : "no change is left to undo in";
      return nothing(`${what} ${root.scope.root}`);
    }
    const edited = force ? [] : await editedSince(context, entry);
    if (edited.length > 0) return localEdits(entry, edited);
    change = await reversed(context, entry);
  } catch (error) {
    return rootFailure(error, "cannot undo");
  }
  const result = await root.apply(change, entry.id);
  return result.ok ? { ...result, undid: entry.title } : result;
}

/** The changes in effect, and the undos that nothing followed; the last of each is next. */
export function changeStacks<Entry extends Pick<HistoryEntry, "id" | "undoes">>(
  newestFirst: readonly Entry[],
): { readonly done: readonly Entry[]; readonly undone: readonly Entry[] } {
  const done: Entry[] = [];
  const undone: Entry[] = [];
  for (const entry of newestFirst.toReversed()) {
    if (entry.undoes !== undefined && done.at(-1)?.id === entry.undoes) {
      done.pop();
      undone.push(entry);
    } else if (entry.undoes !== undefined && undone.at(-1)?.id === entry.undoes) {
      undone.pop();
      done.push(entry);
    } else {
      done.push(entry);
      undone.length = 0;
    }
  }
  return { done, undone };
}

/** The folders and lock files that are not what the change left there. */
async function editedSince(context: RootContext, entry: HistoryEntry): Promise<readonly string[]> {
  const edited: string[] = [];
  for (const { folder, after } of entry.moves) {
    const segments = folder.split("/");
    const parent = plainFolder(context.root, segments.slice(0, -1));
    const mark = parent === undefined ? null : await folderMark(join(parent, segments.at(-1)!));
    if (mark !== after) edited.push(folder);
  }
  for (const { kind, file, after } of entry.locks) {
    if (lockPath(context.scope, kind) !== file) throw otherLock(file);
    if (textDigest(readLockFile(context.scope, file)) !== after) edited.push(file);
  }
  return edited;
}

async function reversed(context: RootContext, entry: HistoryEntry): Promise<Change> {
  const moves: Move[] = [];
  for (const move of entry.moves) {
    if (move.before !== null) moves.push(await broughtBack(context, entry, move));
    else if (move.after !== null) moves.push({ folder: move.folder });
  }
  const change: { -readonly [Key in keyof Change]: Change[Key] } = { title: titleOf(entry), moves };
  for (const lock of entry.locks) {
    if (lockPath(context.scope, lock.kind) !== lock.file) throw otherLock(lock.file);
    change[lock.kind] = keptText(context, entry, lock);
  }
  return change;
}

async function broughtBack(
  { state }: RootContext,
  { id, title }: HistoryEntry,
  { folder, before }: HistoryMove,
): Promise<Move> {
  const segments = [...backupFolder(id), ...folder.split("/")];
  const parent = plainFolder(state.folder, segments.slice(0, -1));
  const staged = join(state.folder, ...segments);
  const mark = parent === undefined ? null : await folderMark(staged);
  if (mark === null) throw pruned(title);
  if (mark !== before) throw changed(staged);
  return { folder, staged };
}

function keptText({ state }: RootContext, { id, title }: HistoryEntry, lock: HistoryLock) {
  if (lock.before === null) return null;
  const file = join(state.backups, id, lockBackup(lock));
  const isThere = plainFolder(dirname(state.backups), ["backups", id]) !== undefined;
  const text = isThere ? readIfPresent(file)?.toString("utf8") : undefined;
  if (text === undefined) throw pruned(title);
  if (textDigest(text) !== lock.before) throw changed(file);
  return text;
}

/** Undo, redo and undo again are told apart by their titles. */
function titleOf({ title, undoes }: HistoryEntry): string {
  if (undoes === undefined) return `undo ${title}`;
  return title.startsWith("undo ") ? title.replace("undo", "redo") : title.replace("redo", "undo");
}

function nothing(message: string): PackFailure {
  return { ok: false, code: "nothing-to-undo", message };
}

function localEdits({ title }: HistoryEntry, edited: readonly string[]): PackFailure {
  return {
    ok: false,
    code: "local-edits",
    message: `edited since "${title}": ${edited.join(", ")}`,
    hint: "undo with force to go back all the same; the edits are kept in the backup of the undo",
    candidates: edited,
  };
}

function pruned(title: string): RootRefusal {
  return new RootRefusal(`the backup of "${title}" is gone`, { code: "nothing-to-undo" });
}

function changed(path: string): RootRefusal {
  const message = `${path} is not what was put into the backup`;
  return new RootRefusal(message, { code: "digest-mismatch" });
}

function otherLock(file: string): RootRefusal {
  return new RootRefusal(`the last change also wrote ${file}, which is not the lock here`, {
    code: "nothing-to-undo",
    hint: "open this root as it was opened then",
  });
}
