import type { traceAudit as TraceAudit } from "./audit/trace-audit.ts";
import type {
  acceptAudits as AcceptAudits,
  listAudits as ListAudits,
  pruneAudits as PruneAudits,
} from "./audit/list-audits.ts";
import type { verifyAudit as VerifyAudit } from "./audit/verify-audit.ts";
import type { openApprovals as OpenApprovals } from "./approvals/open-approvals.ts";

// Functions whose modules are loaded by the first call, which keeps the import of this package short.

/**
 * Makes spans from what is recorded, by the GenAI conventions of OpenTelemetry: one for each run,
 * tool call and script, with the skill it was for. Other events become events of the span they fall
 * in. Neither arguments nor results are passed on, and tracing never keeps a record from being
 * written.
 */
export const traceAudit: typeof TraceAudit = async (...args) =>
  (await import("./audit/trace-audit.ts")).traceAudit(...args);

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
 * Opens what the user approved. Throws an `ApprovalError` when the key cannot be used, or when a
 * recorded approval is not one that was given in this run.
 */
export const openApprovals: typeof OpenApprovals = async (...args) =>
  (await import("./approvals/open-approvals.ts")).openApprovals(...args);
