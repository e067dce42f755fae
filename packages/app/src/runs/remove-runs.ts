import { rmSync } from "node:fs";
import { join } from "node:path";
import { type FileStore, pruneRuns, type PruneResult } from "@skillwright/agent/internal";
import type { Configuration } from "@skillwright/core/internal";
import { RunChanges } from "@skillwright/runtime/internal";

export interface Removal {
  readonly keep?: number;
  readonly olderThanMs?: number;
  readonly includeWaiting?: boolean;
}

const DAY_MS = 86_400_000;

/** What the user's configuration says about how long records are kept; undefined for ever. */
export function retentionOf({ runs: { keep, keepDays } }: Configuration): Removal | undefined {
  if (keep === undefined && keepDays === undefined) return undefined;
  return {
    ...(keep !== undefined && { keep }),
    ...(keepDays !== undefined && { olderThanMs: keepDays * DAY_MS }),
  };
}

/** Removes old runs of a project, with what their tools deleted, which can then not be restored. */
export async function removeRuns(
  store: FileStore,
  { keep, olderThanMs, includeWaiting = false }: Removal,
): Promise<PruneResult> {
  const stateOf = (runId: string) => join(store.stateDirectory, "runs", runId);
  const result = await pruneRuns({
    store,
    ...(keep !== undefined && { keep }),
    ...(olderThanMs !== undefined && { olderThan: Date.now() - olderThanMs }),
    includeWaiting,
    holdsChanges: (runId) => RunChanges.pendingIn(stateOf(runId)) > 0,
  });
  for (const runId of result.removed) rmSync(stateOf(runId), { recursive: true, force: true });
  return result;
}
