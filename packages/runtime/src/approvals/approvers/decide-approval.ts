import type { Approval, ApprovalDecision, ApprovalRequest } from "../approval.ts";
import type { Approvals } from "../approvals.ts";
import type { Approver, AskContext } from "./approver.ts";

export interface DecideOptions extends AskContext {
  readonly approvals: Approvals;
  readonly approver: Approver;
}

export interface Decided {
  readonly decision: ApprovalDecision;
  /** For the record of the run. */
  readonly approval?: Approval;
}

/**
 * Decides on a request: by what was approved earlier, or by the approver, whose answer counts only as
 * far as the request offers it. Act on `approved` alone.
 */
export async function decideApproval(
  request: ApprovalRequest,
  { approvals, approver, signal }: DecideOptions,
): Promise<Decided> {
  signal?.throwIfAborted();
  const found = await approvals.find(request);
  if (found !== undefined) return { decision: found };
  const given = await approver.ask(request, signal === undefined ? {} : { signal });
  signal?.throwIfAborted();
  // A copy: the approver may still hold and change what it gave.
  const decision = { ...given };
  const result = await approvals.record(request, decision);
  if (!result.ok) {
    return { decision: { approved: false, scope: "once", by: "host", reason: result.message } };
  }
  const { approval } = result;
  return { decision, ...(approval === undefined ? undefined : { approval }) };
}
