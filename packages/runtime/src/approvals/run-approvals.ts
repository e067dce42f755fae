import type { AuditRecord } from "../audit/audit.ts";
import { ApprovalError, type ApprovalFailure } from "./approval.ts";
import { resumeApproval } from "./approvers.ts";
import { type Approvals, openApprovals, type OpenApprovalsOptions } from "./open-approvals.ts";

/** What the record of a run says about its approvals. */
export interface RecordedRunApprovals {
  /** Earlier records, when the run is resumed. */
  readonly records: readonly AuditRecord[];
  /** The id of the request that a person approves; the request is in the records. */
  readonly approve?: string;
}

/**
 * The approvals of a run that may be continued: what was approved for the whole run counts again, and
 * the request that it stopped for is approved where `approve` names it.
 */
export async function openRunApprovals(
  options: OpenApprovalsOptions,
  { records, approve }: RecordedRunApprovals,
): Promise<Approvals | ApprovalFailure> {
  const approvals = await openRecorded(options, records);
  if (approve === undefined) return approvals;
  const { terminalOnly = false } = options;
  const requests = records.filter(({ event }) => event === "approval-request");
  const stored = requests.find(({ data }) => Object(data)["id"] === approve)?.data;
  const resumed = await resumeApproval(stored, approve, { approvals, terminalOnly });
  return resumed.ok ? approvals : resumed;
}

/** What was redacted in the record is asked again. */
async function openRecorded(
  options: OpenApprovalsOptions,
  records: readonly AuditRecord[],
): Promise<Approvals> {
  const recorded = records.flatMap(({ event, data }) => {
    const { approval } = (event === "approval-decision" ? data : {}) as { approval?: unknown };
    return approval === undefined || approval === null ? [] : [approval];
  });
  try {
    return await openApprovals({ ...options, recorded });
  } catch (error) {
    if (!ApprovalError.isInstance(error) || error.code !== "approval-damaged") throw error;
    return openApprovals(options);
  }
}
