import { AuditError } from "@skillwright/runtime";
import { userInfo } from "node:os";
import type { ChangesSettled } from "../events/run-event.ts";
import { foldRecords } from "./conversation.ts";
import { redactFields } from "./redact-fields.ts";
import type { RunStore } from "./run-store.ts";

/** What was done, and how many changes are left. */
export type SettledPart = Pick<ChangesSettled, "paths" | "conflicts"> & { readonly left: number };

export interface SettleOptions extends Pick<ChangesSettled, "decision" | "paths"> {
  readonly store: RunStore;
  readonly runId: string;
  /** Default: the user of this process, `local:<uid>`. */
  readonly principal?: string;
}

const MAX_PATHS = 1000;
const MAX_BYTES = 60_000;

/**
 * Records what a person decides on changes of a run, before and after `work` does it. Throws an
 * `AuditError` when the record cannot be written, as while the run goes on; then nothing is done.
 */
export async function settleChanges(
  { store, runId, decision, paths, ...given }: SettleOptions,
  work: () => Promise<SettledPart>,
): Promise<void> {
  const { principal = `local:${process.getuid?.() ?? userInfo().username}` } = given;
  const log = await store.open(runId);
  if (log === undefined) throw new AuditError("audit-unreadable", `there is no run ${runId}`);
  let last = log.records.length;
  const append = async (data: ChangesSettled) => {
    const event = { event: "changes-settle", data: redactFields(data, log.redactor) } as const;
    await log.append([event], { expectedSequence: last });
    last++;
  };
  try {
    await append({ decision, principal, ...listed(paths) });
    const { left, conflicts = [], paths: done } = await work();
    await append({
      decision,
      principal,
      ...listed(done),
      ...(conflicts.length > 0 && { conflicts: listed(conflicts).paths }),
      left,
    });
  } finally {
    log.close();
  }
  const { end } = foldRecords((await store.read(runId)) ?? []);
  if (end?.status === "answered") await store.exactTexts?.remove(runId);
}

function listed(paths: readonly string[]): Pick<ChangesSettled, "paths" | "count"> {
  let room = MAX_BYTES;
  const bounded = paths.slice(0, MAX_PATHS).filter((path) => {
    room -= Buffer.byteLength(JSON.stringify(path)) + 1;
    return room > 0;
  });
  return { paths: bounded, count: paths.length };
}
