import type { openScripts as OpenScripts } from "./gate/open-scripts.ts";
import type { verifyAudit as VerifyAudit } from "./audit/verify-audit.ts";

// Functions whose modules are loaded by the first call, which keeps the import of this package short.

/**
 * Opens what runs the scripts of skills for one person: policy, approvals, a record, and a sandbox. A
 * sandbox that is missing or does not work is a failure with the way to fix it.
 */
export const openScripts: typeof OpenScripts = async (...args) =>
  (await import("./gate/open-scripts.ts")).openScripts(...args);

/** Checks a record against the user's key: finds edits, gaps, reordering and truncation. */
export const verifyAudit: typeof VerifyAudit = async (...args) =>
  (await import("./audit/verify-audit.ts")).verifyAudit(...args);
