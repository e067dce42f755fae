import type { ApprovalDecision, ApprovalRequest } from "../approval.ts";

export interface AskContext {
  readonly signal?: AbortSignal;
}

/** Who decides: a person at a terminal, a flag, a host. */
export interface Approver {
  /**
   * Decides, or gives a decision that is `pending`. Must reject soon after the signal aborts; to throw
   * approves nothing. Only what answers for a person who saw the request may say `by: "person"`.
   */
  ask(request: ApprovalRequest, context: AskContext): Promise<ApprovalDecision>;
}
