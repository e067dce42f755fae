/** What tests use of this folder; sources import the files themselves. */

export { resumeApproval } from "./approvers/resume-approval.ts";
export { openApprovals } from "./open-approvals.ts";
export { createRequest, fixedCall } from "./request/create-request.ts";
export { hasSignature, signatureOf, signRequest, verifyRequest } from "./sign-request.ts";
export { showCommand } from "./text/show-values.ts";
export { firstHiddenLine, hidesSomething, visibleLine, visibleLines } from "./text/visible-text.ts";
export { approvalText } from "./text/approval-text.ts";
