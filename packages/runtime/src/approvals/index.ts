/** What tests use of this folder; sources import the files themselves. */

export { approvalText } from "./approval-text.ts";
export { resumeApproval } from "./approvers.ts";
export { openApprovals } from "./open-approvals.ts";
export { createRequest, fixedCall, matchesCall } from "./request.ts";
export {
  firstHiddenLine,
  hidesSomething,
  showCommand,
  visibleLine,
  visibleLines,
} from "./approval.ts";
export { hasSignature, keyedDigest } from "./store.ts";
