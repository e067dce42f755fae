import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { PackFailure } from "../../pack-failure.ts";
import { finishJournal } from "../journal/finish-journal.ts";
import { historyFile, namesIn, readHistory } from "./history.ts";
import type { OpenRoot } from "../open-root.ts";
import type { RootContext } from "../root-context.ts";
import { rootFailure } from "../root-refusal.ts";

export interface PruneOptions {
  /** How many of the last changes keep their backups; 10 unless told. */
  readonly keep?: number;
  /** Whether anything still names this entry of the pristine copies. Without it all stay. */
  readonly isPristineNamed?: (name: string) => boolean;
}

export interface PrunedBackups {
  readonly ok: true;
  /** Relative to the state folder. */
  readonly removed: readonly string[];
}

/**
 * Removes what an undo no longer needs: backups and history of old changes, backups that no change
 * names, files that were set aside, pristine copies that nobody names. What was staged by processes
 * that are gone was removed when the root was opened. The last change stays in the history even when
 * nothing is kept, since the next one is numbered after it.
 */
export async function pruneBackups(
  { context }: OpenRoot,
  { keep = 10, isPristineNamed }: PruneOptions = {},
): Promise<PrunedBackups | PackFailure> {
  const { state } = context;
  const removed: string[] = [];
  const remove = (...path: readonly string[]) => {
    rmSync(join(state.folder, ...path), { recursive: true, force: true });
    removed.push(path.join("/"));
  };
  try {
    await finishJournal(context);
    const names = historyNames(context);
    for (const name of names.slice(Math.max(keep, 1))) remove("history", name);
    const kept = new Set(names.slice(0, keep).map(idOf));
    for (const name of namesIn(state.backups)) if (!kept.has(name)) remove("backups", name);
    for (const name of namesIn(state.folder)) if (name.startsWith("refused-")) remove(name);
    for (const name of namesIn(state.pristine)) {
      if (isPristineNamed?.(name) === false) remove("pristine", name);
    }
    return { ok: true, removed };
  } catch (error) {
    return rootFailure(error, "cannot prune");
  }
}

/**
 * Newest first. Entries that cannot be verified come last, not first to go: after a project was
 * moved, or its user's key was lost, they are all there is.
 */
function historyNames(context: RootContext): readonly string[] {
  const { entries, refused } = readHistory(context.state, context);
  const verified = entries.map((entry) => basename(historyFile(context.state, entry)));
  return [...verified, ...refused.toReversed()];
}

function idOf(name: string): string | undefined {
  return /^\d{8,}-(.+)\.json$/.exec(name)?.[1];
}
