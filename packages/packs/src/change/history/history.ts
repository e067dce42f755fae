import { readdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode, readIfPresent } from "@skillwright/core/internal";
import type { FolderMark } from "../files/folder-mark.ts";
import type { LockKind } from "../journal/journal.ts";
import { isId, type StatePaths } from "../root-context.ts";
import { type SigningContext, verifiedBody } from "../signing/signed-text.ts";

/** A change that was carried out, with what is needed to take it back. */
export interface HistoryEntry {
  readonly schemaVersion: 1;
  readonly id: string;
  readonly sequence: number;
  readonly title: string;
  readonly time: number;
  readonly undoes?: string;
  readonly moves: readonly HistoryMove[];
  readonly locks: readonly HistoryLock[];
}

export interface HistoryMove {
  readonly folder: string;
  /** What went to the backup, as it was found there. */
  readonly before: FolderMark;
  readonly after: FolderMark;
}

/** Texts by their SHA-256; null when there was no such file. */
export interface HistoryLock {
  readonly kind: LockKind;
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface History {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** Names of files that this user did not write for this root. */
  readonly refused: readonly string[];
}

export interface ChangedFolder {
  readonly folder: string;
  /** `unchanged`: to be removed, and nothing stood there. */
  readonly status: "added" | "replaced" | "removed" | "unchanged";
}

/** What the signature of an entry is for. */
export const HISTORY = "history";

export function historyFile(state: StatePaths, { sequence, id }: HistoryEntry): string {
  return join(state.history, `${String(sequence).padStart(8, "0")}-${id}.json`);
}

export function readHistory(state: StatePaths, context: SigningContext): History {
  const entries: HistoryEntry[] = [];
  const refused: string[] = [];
  for (const name of namesIn(state.history)) {
    const entry = readEntry(join(state.history, name), context);
    if (entry === undefined || historyFile(state, entry) !== join(state.history, name)) {
      refused.push(name);
    } else entries.push(entry);
  }
  entries.sort((one, other) => other.sequence - one.sequence);
  return { entries, refused };
}

/** The names in a folder of the state; none when it is missing. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return [];
    throw error;
  }
}

function readEntry(file: string, context: SigningContext): HistoryEntry | undefined {
  let text: string | undefined;
  try {
    text = readIfPresent(file)?.toString("utf8");
  } catch {
    return undefined;
  }
  const body = verifiedBody(HISTORY, text ?? "", context) as HistoryEntry | undefined;
  const isEntry =
    body?.schemaVersion === 1 &&
    isId(body.id) &&
    Number.isSafeInteger(body.sequence) &&
    Array.isArray(body.moves) &&
    Array.isArray(body.locks);
  return isEntry ? body : undefined;
}

export function changedFolders({ moves }: HistoryEntry): readonly ChangedFolder[] {
  return moves.map(({ folder, before, after }) => {
    if (after === null) return { folder, status: before === null ? "unchanged" : "removed" };
    return { folder, status: before === null ? "added" : "replaced" };
  });
}
