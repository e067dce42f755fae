import { type FileStore, isPart } from "@skillwright/agent/internal";
import type { ApprovalRequest } from "@skillwright/runtime";
import { listRuns, readRecords } from "./find-run.ts";

/** The request of this id, from the record of the run or of one of its children. */
export async function waitingRequest(
  store: FileStore,
  runId: string,
  approval: string | undefined,
): Promise<ApprovalRequest | undefined> {
  if (approval === undefined) return undefined;
  const family = (await listRuns(store)).filter((one) => one === runId || isPart(one, runId));
  for (const one of family) {
    for (const { event, data } of await readRecords(store, one)) {
      // The record was verified, so it is what the gate wrote, without its secrets.
      const request = event === "approval-request" ? (data as ApprovalRequest) : undefined;
      if (request?.id === approval) return request;
    }
  }
  return undefined;
}

/** What a program has to know before it approves; the signature stays in the record. */
export function shownRequest(
  request: ApprovalRequest,
): Omit<ApprovalRequest, "signature" | "version"> {
  const { signature: _, version: __, ...shown } = request;
  return shown;
}

/** Why an approval that was asked for before does not do any more; undefined when it is the same call. */
export function changeSince(
  before: ApprovalRequest | undefined,
  after: ApprovalRequest | undefined,
): string | undefined {
  if (before === undefined || after === undefined || before.id === after.id) return undefined;
  const isSameScript =
    before.tool === after.tool &&
    before.skill?.name === after.skill?.name &&
    before.skill?.source === after.skill?.source &&
    before.script?.path === after.script?.path;
  if (!isSameScript || before.skill?.digest === after.skill?.digest) return undefined;
  const { name = "", digest = "" } = after.skill ?? {};
  return (
    `The content of the skill ${name} changed since ${before.id} was asked for ` +
    `(${before.skill?.digest ?? ""} is now ${digest}), so that approval does not count. ` +
    "This is the new request."
  );
}
