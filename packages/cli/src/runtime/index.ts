/** What tests use of this folder; sources import the files themselves. */

export { shownApproval } from "./shown-approval.ts";
export { createTerminalApprover } from "./terminal-approver.ts";
