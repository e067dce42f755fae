import type { resumeApproval as ResumeApproval } from "./approvals/open-approvals.ts";
import type { openApprovals as OpenApprovals } from "./approvals/open-approvals.ts";

// Functions whose modules are loaded by the first call, which keeps the import of this package short.

/**
 * For `runs resume <run> --approve <approval>`: approves the request that a stopped run holds in its
 * record. It then counts for the call that equals the request, and for no other; each request can be
 * approved this way once.
 */
export const resumeApproval: typeof ResumeApproval = async (...args) =>
  (await import("./approvals/open-approvals.ts")).resumeApproval(...args);

/**
 * Opens what the user approved. Throws an `ApprovalError` when the key cannot be used, or when a
 * recorded approval is not one that was given in this run.
 */
export const openApprovals: typeof OpenApprovals = async (...args) =>
  (await import("./approvals/open-approvals.ts")).openApprovals(...args);
