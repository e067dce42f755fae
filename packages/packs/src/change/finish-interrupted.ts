import type { InstallScope } from "../install-scope.ts";
import type { PackFailure } from "../pack-failure.ts";
import { listChanges } from "./history/list-changes.ts";
import { openRoot, type OpenRootOptions } from "./open-root.ts";

export type Finished = { readonly ok: true; readonly notes: readonly string[] } | PackFailure;

/** What somebody who only looks is told. */
const INTERRUPTED =
  "a change was interrupted in the middle; the next install, update or undo finishes it";

/** Finishes what a killed process left in the middle, and does not touch a root without that. */
export async function finishInterrupted(
  scope: InstallScope,
  options: OpenRootOptions,
): Promise<Finished> {
  const { stateDirectory } = options;
  const listed = listChanges(scope, stateDirectory === undefined ? {} : { stateDirectory });
  if (!listed.ok) return listed;
  if (!listed.isInterrupted) return { ok: true, notes: [] };
  const opened = await openRoot(scope, options);
  if (!opened.ok) return opened;
  opened.root.close();
  return { ok: true, notes: opened.root.notes };
}

/** The notes of a root that is only looked at. */
export function interruptedNotes(
  scope: InstallScope,
  stateDirectory: string | undefined,
): readonly string[] {
  const listed = listChanges(scope, stateDirectory === undefined ? {} : { stateDirectory });
  return listed.ok && listed.isInterrupted ? [INTERRUPTED] : [];
}
