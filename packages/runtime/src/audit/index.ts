/** What tests use of this folder; sources import the files themselves. */

export { type AuditDisk, realDisk } from "./audit.ts";
export { MAX_MATCH_LENGTH } from "./redaction/redactor.ts";
export { verifyAudit } from "./verify-audit.ts";
