/** What tests use of this folder; sources import the files themselves. */

export { approvalText } from "./approval-text.ts";
export { resumeApproval } from "./approvers.ts";
export { openApprovals } from "./open-approvals.ts";
export { createRequest, fixedCall } from "./request.ts";
export {
  firstHiddenLine,
  hidesSomething,
  showCommand,
  visibleLine,
  visibleLines,
} from "./shown-values.ts";
export { hasSignature, keyedDigest } from "./store.ts";
export { matchesCall } from "./subject.ts";
