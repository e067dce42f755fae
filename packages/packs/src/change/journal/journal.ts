import type { InstallScope } from "../../install-scope.ts";
import type { FolderMark } from "../files/folder-mark.ts";
import { folderNameProblem, overlap } from "../files/folder-name.ts";
import { isId } from "../root-context.ts";

/** A change that is decided. Whoever opens the root next carries it out to its end. */
export interface Journal {
  readonly schemaVersion: 1;
  readonly id: string;
  /** One more than that of the change before: an old journal that comes back is known by it. */
  readonly sequence: number;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The id of the change that this one takes back. */
  readonly undoes?: string;
  readonly moves: readonly JournalMove[];
  readonly locks: readonly JournalLock[];
}

export interface JournalMove {
  readonly folder: string;
  /** Relative to the state folder, with `/`; absent when the folder is removed. */
  readonly staged?: string;
  /** What stands there afterwards. */
  readonly after: FolderMark;
}

export interface JournalLock {
  readonly kind: LockKind;
  /** Path of the file. It is only compared with that of the scope, never written to by itself. */
  readonly file: string;
  /** The whole text; null when there is no such file. */
  readonly before: string | null;
  readonly after: string | null;
}

/** What its signature is for. */
export const JOURNAL = "journal";

export type LockKind = "lock" | "sharedLock";

export function lockPath(scope: InstallScope, kind: LockKind): string | undefined {
  return kind === "lock" ? scope.lockFile : scope.sharedLockFile;
}

/** Every value checked, although only this user's key can have signed it. */
export function parseJournal(body: unknown): Journal | undefined {
  const value = body as Journal;
  const isJournal =
    value.schemaVersion === 1 &&
    typeof value.id === "string" &&
    isId(value.id) &&
    Number.isSafeInteger(value.sequence) &&
    typeof value.title === "string" &&
    typeof value.time === "number" &&
    (value.undoes === undefined || typeof value.undoes === "string") &&
    Array.isArray(value.moves) &&
    value.moves.every(isMove) &&
    overlap(value.moves.map(({ folder }) => folder)) === undefined &&
    Array.isArray(value.locks) &&
    value.locks.every(isLock);
  return isJournal ? value : undefined;
}

function isMove(value: unknown): value is JournalMove {
  const { folder, staged, after } = (value ?? {}) as JournalMove;
  return (
    typeof folder === "string" &&
    folderNameProblem(folder) === undefined &&
    (staged === undefined || (typeof staged === "string" && isStagedPath(staged))) &&
    (after === null || typeof after === "string")
  );
}

/** Below `staging` or, for what an undo brings back, below `backups`. */
export function isStagedPath(staged: string): boolean {
  const [place, id = "", ...rest] = staged.split("/");
  if (place !== "staging" && place !== "backups") return false;
  return isId(id) && rest.every((name) => !/^\.{0,2}$|[\\\0]/.test(name));
}

function isLock(value: unknown): value is JournalLock {
  const { kind, file, before, after } = (value ?? {}) as JournalLock;
  return (
    (kind === "lock" || kind === "sharedLock") &&
    typeof file === "string" &&
    (before === null || typeof before === "string") &&
    (after === null || typeof after === "string")
  );
}
