import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Configuration } from "@skillwright/core/internal";
import { pruneAudits, RunChanges } from "@skillwright/runtime/internal";
import { type Removal, retentionOf } from "../runs/remove-runs.ts";

/** The record of a call outside of runs, in a folder with what belongs to it. */
export const CALL_RECORD = "audit.jsonl";

export function callsDirectory(stateDirectory: string): string {
  return join(stateDirectory, "calls");
}

/** Names sort by time. */
export function newCallId(): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return `${time}-${randomUUID().slice(0, 8)}`;
}

/** Removes old records of calls, with what they deleted or kept, which can then not be undone. Changes that wait stay. */
export async function removeCalls(
  stateDirectory: string,
  { keep, olderThanMs }: Removal,
): ReturnType<typeof pruneAudits> {
  return pruneAudits(callsDirectory(stateDirectory), {
    stateDirectory,
    record: CALL_RECORD,
    keep,
    olderThan: olderThanMs === undefined ? undefined : Date.now() - olderThanMs,
    isWaiting: (folder) => RunChanges.pendingIn(folder) > 0,
  });
}

/** The same, as far as the user's configuration says how long records are kept. */
export async function removeOldCalls(
  stateDirectory: string,
  configuration: Configuration,
): Promise<void> {
  const retention = retentionOf(configuration);
  if (retention !== undefined) await removeCalls(stateDirectory, retention);
}
