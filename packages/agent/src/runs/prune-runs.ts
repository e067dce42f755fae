import { AuditError } from "@skillwright/runtime";
import { statSync } from "node:fs";
import { HELD_CHANGES } from "../loop/run-state.ts";
import { foldRecords } from "./conversation.ts";
import type { FileStore } from "./file-store.ts";
import { summarizeRun } from "./summarize-run.ts";

export interface PruneOptions {
  readonly store: FileStore;
  /** How many of the newest always stay; child runs go with their parent. Default: none. */
  readonly keep?: number;
  /** Only runs whose last record (or, without one, whose folder) is older, in milliseconds since 1970. */
  readonly olderThan?: number;
  /** Also those that wait for an approval. */
  readonly includeWaiting?: boolean;
  /** Whether changes of scripts wait for a person, who may have decided since. Default: as the run ended. */
  readonly holdsChanges?: (runId: string) => boolean;
}

export interface PruneResult {
  readonly removed: readonly string[];
  readonly kept: readonly { readonly runId: string; readonly reason: KeepReason }[];
}

/**
 * - `new`: among the newest, or not old enough.
 * - `waiting`: for an approval.
 * - `running`: another process writes it.
 * - `damaged`: its record is not as it was written. It may be evidence, so only a person removes it.
 */
type KeepReason = "new" | "waiting" | "running" | "damaged";

export async function pruneRuns(options: PruneOptions): Promise<PruneResult> {
  const { store, keep = 0 } = options;
  store.removeRemains();
  const all = await store.list();
  const parents = all.filter((runId) => !all.some((other) => isPart(runId, other)));
  const removed: string[] = [];
  const kept: { runId: string; reason: KeepReason }[] = [];
  for (const [index, runId] of parents.entries()) {
    const family = [runId, ...all.filter((other) => isPart(other, runId))];
    const reason = index < keep ? "new" : await reasonToKeep(family, options);
    if (reason === undefined && family.map((one) => store.remove(one)).every(Boolean)) {
      removed.push(...family);
    } else kept.push({ runId, reason: reason ?? "running" });
  }
  for (const { runId } of kept) await removeUnneededTexts(runId, store);
  return { removed, kept };
}

/** Whether a run is a child of another, or a child of its child. */
export function isPart(runId: string, parent: string): boolean {
  return runId.startsWith(`${parent}.`);
}

async function reasonToKeep(
  family: readonly string[],
  { store, olderThan = Infinity, includeWaiting = false, holdsChanges }: PruneOptions,
): Promise<KeepReason | undefined> {
  for (const runId of family) {
    try {
      const { status, approval, updatedAt } = summarizeRun((await store.read(runId)) ?? []);
      const time = updatedAt === "" ? beginningOf(runId, store) : Date.parse(updatedAt);
      if (!(time < olderThan)) return "new";
      const isDecided = approval === HELD_CHANGES && holdsChanges !== undefined;
      const waits = (status === "needs_approval" && !isDecided) || holdsChanges?.(runId) === true;
      if (waits && !includeWaiting) return "waiting";
    } catch (error) {
      if (!AuditError.isInstance(error)) throw error;
      return "damaged";
    }
  }
  return undefined;
}

/** A process that was killed at the end of its run may have left exact texts that no resume needs. */
async function removeUnneededTexts(runId: string, store: FileStore): Promise<void> {
  const texts = await store.exactTexts?.get(runId);
  if (texts === undefined || texts.size === 0) return;
  const records = await store.read(runId).catch(() => []);
  if (foldRecords(records ?? []).end?.status === "answered") await store.exactTexts?.remove(runId);
}

/** Of a run that was cut off before its first record, or has just begun. */
function beginningOf(runId: string, store: FileStore): number {
  const folder = store.folderOf(runId);
  return folder === undefined ? -Infinity : statSync(folder).mtimeMs;
}
