import { rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readIfPresent, syncFolder } from "@skillwright/core/internal";
import { type JournalLock, lockPath } from "./journal.ts";
import { confinedFolder, makeConfinedFolder, makePlainFolder } from "../files/plain-path.ts";
import { replaceFile } from "../files/replace-file.ts";
import type { RootContext } from "../root-context.ts";
import { RootRefusal } from "../root-refusal.ts";
import type { InstallScope } from "../../install-scope.ts";

/** Within the backup of a change. */
export function lockBackup({ kind }: Pick<JournalLock, "kind">): string {
  return kind === "lock" ? "lock.json" : "shared-lock.json";
}

/** The text of a lock file as it is now; null when there is none. Links are refused. */
export function readLockFile({ base }: InstallScope, file: string): string | null {
  const folder = confinedFolder(base, dirname(file));
  if (folder === undefined) return null;
  return readIfPresent(join(folder, basename(file)))?.toString("utf8") ?? null;
}

/** Keeps the old text in the backup, then puts the new one in its place. */
export async function writeLockFile(
  context: RootContext,
  id: string,
  lock: JournalLock,
): Promise<void> {
  const { scope, state, onStep } = context;
  const file = lockPath(scope, lock.kind);
  if (file !== lock.file) {
    throw new RootRefusal(
      `an unfinished change also writes ${lock.file}, which is not the lock here`,
      {
        hint: "open this root as it was opened then",
      },
    );
  }
  const subject = lock.file;
  if (lock.before !== null) {
    await onStep?.({ step: "keep-lock", when: "before", subject });
    const folder = makePlainFolder(state.folder, ["backups", id], 0o700);
    const temporary = join(state.staging, `${id}.kept`);
    const onWritten = () => onStep?.({ step: "keep-lock", when: "between", subject });
    await replaceFile(join(folder, lockBackup(lock)), lock.before, { temporary, onWritten });
    await onStep?.({ step: "keep-lock", when: "after", subject });
  }
  await onStep?.({ step: "write-lock", when: "before", subject });
  if (lock.after === null) removeLockFile(scope, lock.file);
  else {
    const folder = makeConfinedFolder(scope.base, dirname(lock.file));
    const temporary = join(folder, `.${basename(lock.file)}.${id}`);
    const onWritten = () => onStep?.({ step: "write-lock", when: "between", subject });
    const options = { temporary, mode: "umask", onWritten } as const;
    await replaceFile(join(folder, basename(lock.file)), lock.after, options);
  }
  await onStep?.({ step: "write-lock", when: "after", subject });
}

function removeLockFile({ base }: InstallScope, file: string): void {
  const folder = confinedFolder(base, dirname(file));
  if (folder === undefined) return;
  rmSync(join(folder, basename(file)), { force: true });
  syncFolder(folder);
}
