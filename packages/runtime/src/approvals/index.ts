/** What tests use of this folder; sources import the files themselves. */

export { openApprovals, resumeApproval } from "./open-approvals.ts";
export { createRequest, fixedCall } from "./request.ts";
export { hasSignature, signatureOf, signRequest, verifyRequest } from "./store.ts";
export {
  firstHiddenLine,
  hidesSomething,
  showCommand,
  visibleLine,
  visibleLines,
} from "./shown-values.ts";
export { approvalText } from "./approval-text.ts";
export { matchesCall } from "./request.ts";
