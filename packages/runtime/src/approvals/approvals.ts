import type { Approval, ApprovalDecision, ApprovalRequest } from "./approval.ts";
import type { ApprovalFailure } from "./memory/decision-problem.ts";
import type { ApprovalCall } from "./request/approval-call.ts";

export type RecordResult =
  | {
      readonly ok: true;
      /** What is remembered, for the record of the run; absent for scope `once` and for a refusal. */
      readonly approval?: Approval;
    }
  | ApprovalFailure;

export type AdmitResult = { readonly ok: true } | ApprovalFailure;

/**
 * What was approved, in this run and by this user. Every method throws an `ApprovalError` when the
 * user's state is damaged or cannot be written: then nothing is approved.
 */
export interface Approvals {
  readonly runId: string;
  /** The request to approve a call, signed. Carry out what it names, from the same snapshot. */
  request(call: ApprovalCall): Promise<ApprovalRequest>;
  /** Whether a value, such as one from the record of a run, is a request of this user, unchanged. */
  verify(value: unknown): value is ApprovalRequest;
  /**
   * The earlier approval that covers a request; undefined when it has to be asked for. One that was
   * admitted for one call is used up by this.
   */
  find(request: ApprovalRequest): Promise<ApprovalDecision | undefined>;
  /** Remembers a decision as far as its scope goes. The call that was asked about may then proceed. */
  record(request: ApprovalRequest, decision: ApprovalDecision): Promise<RecordResult>;
  /**
   * Takes a decision of scope `once` on a request from a stopped run, for the call that will equal it:
   * `find` gives it then. A request is admitted at most once, by whatever process.
   */
  admit(request: ApprovalRequest, decision: ApprovalDecision): Promise<AdmitResult>;
  /** What is remembered: for this run, and for skills in all runs. */
  list(): Promise<Approval[]>;
  /** True when there was such an approval. */
  revoke(id: string): Promise<boolean>;
}
