import { rmSync } from "node:fs";
import { join } from "node:path";
import { AuditError, forgetAudit } from "@skillwright/runtime";
import type { FileStore } from "./file-store.ts";
import { RECORD_FILE } from "./file-store.ts";
import { summarizeRun } from "./summarize-run.ts";

export interface PruneOptions {
  readonly store: FileStore;
  /** So many of the newest stay in any case; child runs go with their parent. Default: none. */
  readonly keep?: number;
  /** Only runs whose last record is older, in milliseconds since 1970. Default: of any age. */
  readonly olderThan?: number;
  /** Also those that wait for an approval. */
  readonly includeWaiting?: boolean;
}

export interface PruneResult {
  readonly removed: readonly string[];
  readonly kept: readonly { readonly runId: string; readonly reason: KeepReason }[];
}

/**
 * - `new`: among the newest, or not old enough.
 * - `waiting`: for an approval.
 * - `running`: another process writes it.
 * - `damaged`: its record is not as it was written. It may be evidence, so a person has to remove it.
 */
type KeepReason = "new" | "waiting" | "running" | "damaged";

/** Removes old runs, and what is known of their records. */
export async function pruneRuns(options: PruneOptions): Promise<PruneResult> {
  const { store, keep = 0 } = options;
  const all = await store.list();
  const parents = all.filter((runId) => !all.some((other) => isPart(runId, other)));
  const removed: string[] = [];
  const kept: { runId: string; reason: KeepReason }[] = [];
  for (const [index, runId] of parents.entries()) {
    const family = [runId, ...all.filter((other) => isPart(other, runId))];
    const reason = index < keep ? "new" : await reasonToKeep(family, options);
    if (reason === undefined && family.map((one) => isRemoved(one, store)).every(Boolean)) {
      removed.push(...family);
    } else kept.push({ runId, reason: reason ?? "running" });
  }
  return { removed, kept };
}

/** Whether a run is a child of another, or a child of its child. */
export function isPart(runId: string, parent: string): boolean {
  return runId.startsWith(`${parent}.`);
}

async function reasonToKeep(
  family: readonly string[],
  { store, olderThan = Infinity, includeWaiting = false }: PruneOptions,
): Promise<KeepReason | undefined> {
  for (const runId of family) {
    try {
      const records = (await store.read(runId)) ?? [];
      const { status, updatedAt } = summarizeRun(records);
      // What has no record yet may just have begun.
      const time = records.length === 0 ? olderThan - 1 : Date.parse(updatedAt);
      if (!(time < olderThan)) return "new";
      if (status === "needs_approval" && !includeWaiting) return "waiting";
    } catch (error) {
      if (!AuditError.isInstance(error)) throw error;
      return "damaged";
    }
  }
  return undefined;
}

/** The head first: its lock tells whether somebody writes the record. */
function isRemoved(runId: string, store: FileStore): boolean {
  const folder = store.folderOf(runId);
  if (folder === undefined) return true;
  try {
    forgetAudit(join(folder, RECORD_FILE), store);
  } catch (error) {
    if (AuditError.isInstance(error) && error.code === "audit-locked") return false;
    throw error;
  }
  rmSync(folder, { recursive: true, force: true });
  return true;
}
