export type { Audit, AuditEvent, AuditEventName, AuditRecord } from "./audit/audit.ts";
export { AuditError, type AuditErrorCode } from "./audit/audit-error.ts";
export type { AuditProblem, AuditProblemKind } from "./audit/chain-check.ts";
export { forgetAudit } from "./audit/forget-audit.ts";
export {
  createStderrLogger,
  type LogLevel,
  type StderrLoggerOptions,
} from "./audit/logging/create-stderr-logger.ts";
export { openAudit, type OpenAuditOptions } from "./audit/open-audit.ts";
export { createRedactor, type RedactorOptions } from "./audit/redaction/create-redactor.ts";
export {
  createStreamRedactor,
  type StreamRedactor,
} from "./audit/redaction/create-stream-redactor.ts";
export type { Redactor } from "./audit/redaction/redactor.ts";
export { traceAudit, type TraceAuditOptions } from "./audit/trace-audit.ts";
export type { TraceApi } from "./audit/tracing/trace-api.ts";
export {
  type AuditVerification,
  verifyAudit,
  type VerifyAuditOptions,
} from "./audit/verify-audit.ts";
