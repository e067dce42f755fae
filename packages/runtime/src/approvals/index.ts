/** What tests use of this folder; sources import the files themselves. */

export { resumeApproval } from "./approvers/resume-approval.ts";
export { openApprovals } from "./open-approvals.ts";
export { createRequest, fixedCall } from "./request.ts";
export { hasSignature, signatureOf, signRequest, verifyRequest } from "./sign-request.ts";
export {
  firstHiddenLine,
  hidesSomething,
  showCommand,
  visibleLine,
  visibleLines,
} from "./shown-values.ts";
export { approvalText } from "./approval-text.ts";
