import type { ApprovalDecision } from "../approval.ts";
import type { Approver } from "./approver.ts";
import { denyApprover } from "./deny-approver.ts";

/** Asks one after the other until one decides. When none does, the decision is pending. */
export function chainApprovers(approvers: readonly Approver[]): Approver {
  return {
    async ask(request, context) {
      let last: ApprovalDecision | undefined;
      for (const approver of approvers) {
        context.signal?.throwIfAborted();
        last = await approver.ask(request, context);
        if (last.pending !== true) return last;
      }
      return last ?? denyApprover.ask(request, context);
    },
  };
}
