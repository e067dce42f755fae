import { type PrunedBackups, pruneBackups } from "../change/history/prune-backups.ts";
import { undoChange, type UndoneChange } from "../change/history/undo-change.ts";
import { readLock } from "../lock/read-lock.ts";
import { pristineName } from "../merge/pristine.ts";
import type { PackFailure } from "../pack-failure.ts";
import { withRoot } from "./open-session.ts";
import type { PackSession } from "./pack-session.ts";

export interface Undone extends UndoneChange {
  readonly notes: readonly string[];
}

/** Takes the last change of the root back. Undoing that does it again. */
export async function undoLast(
  session: PackSession & { readonly force?: boolean },
): Promise<Undone | PackFailure> {
  return withRoot(session, async (root) => {
    const undone = await undoChange(root, { force: session.force === true });
    return undone.ok ? { ...undone, notes: root.notes } : undone;
  });
}

/** Removes backups and copies that nothing needs any more. */
export async function pruneRoot(
  session: PackSession & { readonly keep?: number },
): Promise<PrunedBackups | PackFailure> {
  return withRoot(session, async (root) => {
    // Not before the root is open: what was interrupted is finished then, and nobody else installs.
    const read = readLock(session.scope);
    if (!read.ok) return read;
    const digests = Object.values(read.lock.skills).map(({ digest }) => pristineName(digest));
    const named = new Set(digests);
    return pruneBackups(root, {
      isPristineNamed: (name) => named.has(name),
      ...(session.keep !== undefined && { keep: session.keep }),
    });
  });
}
