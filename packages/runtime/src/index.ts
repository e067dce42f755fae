export {
  type Audit,
  AuditError,
  type AuditEvent,
  type AuditRecord,
  createAudit,
  createMemoryAudit,
} from "./audit/audit.ts";
export { createRedactor } from "./audit/redaction/create-redactor.ts";
export type { Redactor } from "./audit/redaction/redactor.ts";
export { DEFAULT_POLICY, policySettings, type PolicySettings } from "./policy/policy-settings.ts";
export type { Approve, OpenScriptsOptions, Scripts, ScriptsRun } from "./gate/open-scripts.ts";
export type { HeldFiles } from "./gate/create-runtime.ts";
export type { Gate } from "./gate/gate.ts";
export {
  type ApprovalDecision,
  ApprovalError,
  type ApprovalRequest,
} from "./approvals/approval.ts";
export {
  type Approver,
  type AskContext,
  chainApprovers,
  createFlagApprover,
} from "./approvals/approvers.ts";
export { createExecutor } from "./execution/create-executor.ts";
export type {
  ExecutionContext,
  ExecutionReceipt,
  ExecutionRequest,
  Executor,
} from "./execution/executor.ts";
export type { ExecutionFailure } from "./execution/execution-failure.ts";
export type { Runtime } from "./gate/create-runtime.ts";
export { openScripts, verifyAudit } from "./lazy.ts";
export {
  type ApprovalStore,
  createFileApprovals,
  createMemoryApprovals,
} from "./approvals/store.ts";
