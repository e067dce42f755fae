/** A separate entry: what writes and finds records, without policy, sandboxes and workspace tools. */
export { contentDigest } from "../audit/audit.ts";
export {
  acceptAudits,
  type AuditList,
  finishRemovals,
  listAudits,
  openAudit,
  removeAudit,
} from "../audit/register.ts";
export { UNREDACTED } from "../audit/redaction/redactor.ts";
export type { AuditVerification } from "../audit/verify-audit.ts";
