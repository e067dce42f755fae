import { defaultStateDirectory } from "@skillwright/core";
import {
  type LockAttempt,
  makeFolder,
  readIfPresent,
  removeQuietly,
  waitForLock,
} from "@skillwright/core/internal";
import { chmodSync, existsSync, lstatSync, mkdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { InstallScope } from "../install-scope.ts";
import type { PackFailure } from "../pack-failure.ts";
import { type AppliedChange, applyChange } from "./apply-change.ts";
import type { OnStep } from "./change-step.ts";
import type { Change } from "./change.ts";
import { makeConfinedFolder, standing } from "./files/plain-path.ts";
import { replaceFile } from "./files/replace-file.ts";
import { namesIn } from "./history/history.ts";
import { finishJournal, setAside } from "./journal/finish-journal.ts";
import { freshId, type RootContext, statePaths, type StatePaths } from "./root-context.ts";
import { rootFailure, RootRefusal } from "./root-refusal.ts";
import { openSigningKey } from "./signing/signing-key.ts";

export interface OpenRootOptions {
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Names for changes and staging folders: letters, digits, `-` and `_`. */
  readonly ids: () => string;
  /** Cancels waiting, and a change as long as it is not decided. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for another process that is changing this root. */
  readonly patienceMs?: number;
  /** Called once when another process has it; without its number where that is not known. */
  readonly onWait?: (pid: number | undefined) => void;
  /** Where the user's key is kept. */
  readonly stateDirectory?: string;
  readonly onStep?: OnStep;
}

/** A root that nobody else changes until it is closed. */
export interface OpenRoot {
  readonly scope: InstallScope;
  /** What was found and done while opening: an interrupted change finished, a planted file set aside. */
  readonly notes: readonly string[];
  /** A fresh folder of the user's own on the file system of the root, gone when the root is closed. */
  readonly stagingFolder: () => string;
  /** One at a time. `undoes` is the id of a change that this one takes back. */
  readonly apply: (change: Change, undoes?: string) => Promise<AppliedChange | PackFailure>;
  readonly close: () => void;
  /** For the functions beside this one. */
  readonly context: RootContext;
}

const PATIENCE_MS = 30_000;

/** Opens a root for changes: makes it, takes its lock, finishes what was interrupted. */
export async function openRoot(
  scope: InstallScope,
  options: OpenRootOptions,
): Promise<{ readonly ok: true; readonly root: OpenRoot } | PackFailure> {
  const { clock, ids, signal, onWait, onStep, patienceMs = PATIENCE_MS } = options;
  const doing = `cannot change ${scope.root}`;
  let release: (() => void) | undefined;
  try {
    signal?.throwIfAborted();
    const key = openSigningKey(options.stateDirectory ?? defaultStateDirectory(process.env));
    const missing = missingFolders(scope);
    const { root, state } = prepareRoot(scope);
    const context: RootContext = { scope, root, state, key, clock, ids, signal, onStep };
    const lock = await waitForLock(state.lock, {
      patienceMs,
      signal,
      onWait: (holder) => onWait?.(holder?.pid),
    });
    if (!lock.ok) throw busy(lock);
    release = lock.release;
    const notes = [...(await arrange(context)), ...(await recover(context))];
    return { ok: true, root: opened(context, notes, release, missing) };
  } catch (error) {
    release?.();
    if (signal?.aborted === true) return { ok: false, code: "canceled", message: "canceled" };
    return rootFailure(error, doing);
  }
}

/** The folders of the state, each of them a real one. */
async function arrange(context: RootContext): Promise<string[]> {
  const { state } = context;
  const notes = misplaced(state).map((path) => `${setAside(context, path)}: not ours`);
  for (const folder of [state.staging, state.backups, state.history]) {
    makeFolder(folder);
  }
  const gitIgnore = join(state.folder, ".gitignore");
  if (readIfPresent(gitIgnore)?.toString("utf8") !== "*\n") {
    await replaceFile(gitIgnore, "*\n", { temporary: join(state.staging, "gitignore") });
  }
  return notes;
}

/** The folders that are made for a root, the innermost first. */
function missingFolders({ base, root }: InstallScope): readonly string[] {
  const missing: string[] = [];
  for (let folder = root; folder.length > base.length; folder = dirname(folder)) {
    if (existsSync(folder)) break;
    missing.push(folder);
  }
  return missing;
}

function opened(
  context: RootContext,
  notes: readonly string[],
  release: () => void,
  made: readonly string[],
): OpenRoot {
  const { scope, state, ids } = context;
  const staged = new Set<string>();
  let isOpen = true;
  let isBusy = false;
  return {
    scope,
    notes,
    context,
    stagingFolder() {
      const folder = join(state.staging, freshId(ids));
      mkdirSync(folder, 0o700);
      staged.add(folder);
      return folder;
    },
    async apply(change, undoes) {
      if (!isOpen || isBusy) throw new Error("a root is changed while it is open, one by one");
      isBusy = true;
      try {
        return await applyChange(context, change, undoes);
      } finally {
        isBusy = false;
      }
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      // A change that is decided and not finished still needs what was staged for it.
      if (standing(state.journal) === undefined) staged.forEach(removeQuietly);
      const isUnused = made.length > 0 && isWithoutHistory(context);
      if (isUnused) for (const part of STATE_PARTS) removeQuietly(state[part]);
      if (isUnused) removeQuietly(join(state.folder, ".gitignore"));
      release();
      if (isUnused) [state.folder, ...made].forEach(removeIfEmpty);
    },
  };
}

const STATE_PARTS = ["staging", "backups", "history", "pristine"] as const;

/** Nothing was ever done here: a root that was made for nothing goes again. */
function isWithoutHistory({ state }: RootContext): boolean {
  return standing(state.journal) === undefined && namesIn(state.history).length === 0;
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody else has begun to use it.
  }
}

function busy({ file, holder }: Extract<LockAttempt, { ok: false }>): RootRefusal {
  const who = holder === undefined ? "another process" : `process ${holder.pid}`;
  return new RootRefusal(`${who} is changing it and holds ${file}`, {
    code: "root-busy",
    hint: `wait for it and try again; if no such process is running, remove ${file}`,
  });
}

/**
 * Brings a root into order, under its lock: an interrupted change is finished, and what was staged
 * by processes that are gone is removed. Returns what a person should know.
 */
async function recover(context: RootContext): Promise<string[]> {
  const notes = await finishJournal(context);
  for (const name of namesIn(context.state.staging)) {
    try {
      rmSync(join(context.state.staging, name), { recursive: true, force: true });
    } catch (error) {
      notes.push(`left-over staging stays: ${(error as Error).message}`);
    }
  }
  return notes;
}

/** The root and its state folder, made when missing. Neither is reached by a link that leads out. */
function prepareRoot({ base, root: folder }: InstallScope): {
  readonly root: string;
  readonly state: StatePaths;
} {
  const root = makeConfinedFolder(base, folder);
  const state = statePaths(root);
  makeStateFolder(state.folder);
  return { root, state };
}

function makeStateFolder(folder: string): void {
  try {
    mkdirSync(folder, 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) {
    const what = stats.isSymbolicLink() ? "a link" : "not a folder";
    throw new RootRefusal(`${folder} is ${what}`, { hint: "remove it" });
  }
  if (stats.uid !== (process.geteuid?.() ?? stats.uid)) {
    throw new RootRefusal(`${folder} belongs to another user`, {
      hint: "change this root as that user",
    });
  }
  if (process.platform !== "win32" && (stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}
/** Those of its folders that are something else, and files that should be what we write. */
function misplaced(state: StatePaths): readonly string[] {
  const folders = [state.staging, state.backups, state.history, state.pristine];
  const gitIgnore = join(state.folder, ".gitignore");
  return [
    ...folders.filter((path) => standing(path)?.isDirectory() === false),
    ...(standing(gitIgnore)?.isFile() === false ? [gitIgnore] : []),
  ];
}
