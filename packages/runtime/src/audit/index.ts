/** What tests use of this folder; sources import the files themselves. */

export { type AuditDisk, realDisk } from "./audit-disk.ts";
export { MAX_MATCH_LENGTH } from "./redaction/redactor.ts";
export { traceAudit } from "./trace-audit.ts";
export type { Attributes, Span } from "./tracing/trace-api.ts";
export { verifyAudit } from "./verify-audit.ts";
