import type {
  acceptAudits as AcceptAudits,
  listAudits as ListAudits,
  pruneAudits as PruneAudits,
} from "./audit/list-audits.ts";
import type { verifyAudit as VerifyAudit } from "./audit/verify-audit.ts";
import type { resumeApproval as ResumeApproval } from "./approvals/open-approvals.ts";
import type { openApprovals as OpenApprovals } from "./approvals/open-approvals.ts";

// Functions whose modules are loaded by the first call, which keeps the import of this package short.

/**
 * Checks every line of a record against the user's key and head, in bounded memory. A record may be
 * verified while it is written.
 */
export const verifyAudit: typeof VerifyAudit = async (...args) =>
  (await import("./audit/verify-audit.ts")).verifyAudit(...args);

/** Compares the records below a folder with those that began there. */
export const listAudits: typeof ListAudits = async (...args) =>
  (await import("./audit/list-audits.ts")).listAudits(...args);

/**
 * Takes the records below a folder as they are: what is missing is not reported again. For people to
 * decide, never for a program.
 */
export const acceptAudits: typeof AcceptAudits = async (...args) =>
  (await import("./audit/list-audits.ts")).acceptAudits(...args);

/** Removes old records of a folder that has one folder for each, named so that the newest is last. */
export const pruneAudits: typeof PruneAudits = async (...args) =>
  (await import("./audit/list-audits.ts")).pruneAudits(...args);

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
