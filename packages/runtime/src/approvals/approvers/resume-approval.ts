import type { ApprovalRequest, Approvals } from "../approval.ts";
import { type ApprovalFailure, failure } from "../memory/decision-problem.ts";
import { resumeCommand } from "../approvers.ts";

export interface ResumeApprovalOptions {
  /** Opened for the run that stopped. */
  readonly approvals: Approvals;
  /** Refuse: only a person at a terminal may approve. */
  readonly terminalOnly?: boolean;
}

export type ResumeApprovalResult =
  | { readonly ok: true; readonly request: ApprovalRequest }
  | ApprovalFailure;

export async function resumeApproval(
  stored: unknown,
  approvalId: string,
  { approvals, terminalOnly = false }: ResumeApprovalOptions,
): Promise<ResumeApprovalResult> {
  if (!approvals.verify(stored) || stored.run !== approvals.runId) {
    return failure(
      "approval-request-invalid",
      "the request in the record of the run is not the one that was made",
      "Continue the run without --approve; what it needs is then asked again.",
    );
  }
  if (stored.id !== approvalId) {
    // Not which one: who approves has seen what the id stands for.
    const hint = `See what it waits for: skillwright runs show ${stored.run}`;
    return failure("approval-unknown", "the run waits for another approval", hint);
  }
  if (terminalOnly || stored.terminalOnly) {
    return failure(
      "approval-terminal-only",
      "only a person at a terminal may approve this",
      `Run in a terminal: ${resumeCommand({ ...stored, terminalOnly: true })}`,
    );
  }
  const reason = `--approve ${stored.id}`;
  const result = await approvals.admit(stored, {
    approved: true,
    scope: "once",
    by: "flag",
    reason,
  });
  return result.ok ? { ok: true, request: stored } : result;
}
