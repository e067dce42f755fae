import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { syncFolder } from "@skillwright/core/internal";
import { folderMark } from "../files/folder-mark.ts";
import { HISTORY, type HistoryEntry, historyFile, type HistoryMove } from "../history/history.ts";
import type { Journal } from "./journal.ts";
import { backupFolder, placeFolder } from "./place-folder.ts";
import { makePlainFolder, plainFolder } from "../files/plain-path.ts";
import { replaceFile } from "../files/replace-file.ts";
import type { RootContext } from "../root-context.ts";
import { signedText } from "../signing/signed-text.ts";
import { writeLockFile } from "./write-lock-file.ts";

/**
 * Carries out a change that is decided, from its beginning or from wherever it was left: each step
 * looks at what is there and does what is missing. A step throws where it cannot be done now; the
 * journal then stays for the next who opens the root.
 */
export async function carryOut(context: RootContext, journal: Journal): Promise<HistoryEntry> {
  const { root, state, onStep } = context;
  const touched = new Set([root]);
  for (const move of journal.moves) {
    for (const folder of await placeFolder(context, journal.id, move)) touched.add(folder);
  }
  await onStep?.({ step: "sync-folders", when: "before" });
  makePlainFolder(state.folder, ["backups", journal.id], 0o700);
  // The folder of a namespace may have gone with its last skill.
  for (const folder of touched) syncFolder(folder);
  syncFolder(join(state.backups, journal.id));
  syncFolder(state.backups);
  await onStep?.({ step: "sync-folders", when: "after" });
  for (const lock of journal.locks) await writeLockFile(context, journal.id, lock);
  const entry = await writeHistory(context, journal);
  await onStep?.({ step: "remove-journal", when: "before" });
  rmSync(state.journal, { force: true });
  syncFolder(state.folder);
  await onStep?.({ step: "remove-journal", when: "after" });
  return entry;
}

async function writeHistory(context: RootContext, journal: Journal): Promise<HistoryEntry> {
  const { state, onStep } = context;
  await onStep?.({ step: "write-history", when: "before" });
  const { schemaVersion, id, sequence, title, time, undoes } = journal;
  const moves: HistoryMove[] = [];
  for (const { folder, after } of journal.moves) {
    const segments = folder.split("/");
    const keep = plainFolder(state.folder, [...backupFolder(id), ...segments.slice(0, -1)]);
    const before = keep === undefined ? null : await folderMark(join(keep, segments.at(-1)!));
    moves.push({ folder, before, after });
  }
  const locks = journal.locks.map(({ kind, file, before, after }) => {
    return { kind, file, before: textDigest(before), after: textDigest(after) };
  });
  const told = undoes === undefined ? {} : { undoes };
  const entry: HistoryEntry = { schemaVersion, id, sequence, title, time, ...told, moves, locks };
  await replaceFile(historyFile(state, entry), signedText(HISTORY, entry, context), {
    temporary: join(state.staging, `${id}.history`),
    onWritten: () => onStep?.({ step: "write-history", when: "between" }),
  });
  await onStep?.({ step: "write-history", when: "after" });
  return entry;
}

export function textDigest(text: string | null): string | null {
  return text === null ? null : `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
