export {
  type Audit,
  AuditError,
  type AuditErrorCode,
  type AuditEvent,
  type AuditEventName,
  type AuditRecord,
  contentDigest,
} from "./audit/audit.ts";
export type { AuditList } from "./audit/list-audits.ts";
export { finishRemovals, forgetAudit, removeAudit } from "./audit/remove-audit.ts";
export {
  createStderrLogger,
  type LogLevel,
  type StderrLoggerOptions,
} from "./audit/stderr-logger.ts";
export { openAudit, type OpenAuditOptions } from "./audit/open-audit.ts";
export { createRedactor, type RedactorOptions } from "./audit/redaction/create-redactor.ts";
export { createStreamRedactor, type StreamRedactor } from "./audit/redaction/stream-redactor.ts";
export type { Redactor } from "./audit/redaction/redactor.ts";
export type { TraceApi, TraceAuditOptions } from "./audit/trace-audit.ts";
export type {
  AuditProblem,
  AuditProblemKind,
  AuditVerification,
  VerifyAuditOptions,
} from "./audit/verify-audit.ts";
export type {
  PolicyDecision,
  PolicyPlaces,
  PolicyRequest,
  PolicySkill,
  RunPolicy,
} from "./policy/policy-request.ts";
export { decide } from "./policy/decide.ts";
export {
  type AllowedToolsMode,
  type Decision,
  DEFAULT_POLICY,
  type PolicySettings,
  policySettings,
} from "./policy/policy-settings.ts";
export { type RiskClass, toolName } from "./policy/tools.ts";
export { ruleProblems } from "./policy/rules.ts";
export { createScriptExecutor, type ScriptExecutorOptions } from "./gate/create-script-executor.ts";
export {
  type AdmittedChanges,
  type ChangedFile,
  type ChangesCall,
  type DeniedChange,
  Gate,
  type GatedCall,
  type GateFailure,
  type GateFailureCode,
  type GateOptions,
  type GateResult,
} from "./gate/gate.ts";
export { guardTool, type GuardOptions } from "./gate/guard-tools.ts";
export {
  type Approval,
  type ApprovalCall,
  type ApprovalDecision,
  ApprovalError,
  type ApprovalPreview,
  type ApprovalRequest,
  type ApprovalScope,
  type CalledScript,
  isAboutChanges,
} from "./approvals/approval.ts";
export {
  type Approver,
  type AskContext,
  chainApprovers,
  createFlagApprover,
  decideApproval,
  createDenyApprover,
  denyApprover,
  parseYesFlag,
  resumeApproval,
} from "./approvals/approvers.ts";
export type { Approvals, OpenApprovalsOptions } from "./approvals/open-approvals.ts";
export {
  type ApprovalChoice,
  approvalChoices,
  type ApprovalFacts,
  approvalFacts,
  approvalSource,
  approvalText,
} from "./approvals/approval-text.ts";
export {
  type BubblewrapOptions,
  chooseExecutor,
  type ChooseExecutorOptions,
  type ChosenExecutor,
  createBubblewrapExecutor,
  createExecutor,
  createProcessExecutor,
  createSandboxRuntimeExecutor,
  hasSandbox,
} from "./execution/create-executor.ts";
export type { SandboxRuntimeOptions } from "./execution/sandbox-runtime.ts";
export { createCodeExecutor } from "./execution/code-executor.ts";
export type {
  ExecutionContext,
  ExecutionFailure,
  ExecutionFailureCode,
  ExecutionLimits,
  ExecutionReceipt,
  CommandExecution,
  ExecutionRequest,
  ScriptExecution,
  Executor,
} from "./execution/executor.ts";
export { guardWorkspace } from "./gate/guard-tools.ts";
export type { GuardWorkspaceOptions } from "./gate/guard-tools.ts";
export type {
  CommandOptions,
  CommandResult,
  CommandRunner,
} from "./workspace/command/command-runner.ts";
export { matchingFile, SECRET_FILES } from "./workspace/confinement/protected-files.ts";
export type { WorkspaceFailureCode } from "./workspace/confinement/workspace-failure.ts";
export { createWorkspaceTools, type WorkspaceTools } from "./workspace/create-workspace-tools.ts";
export { restoreDeleted } from "./workspace/files/trash.ts";
export type { WorkspaceTool } from "./workspace/input/define-workspace-tool.ts";
export type { NetworkLookup, NetworkTransport } from "./workspace/network/send-request.ts";
export type { WorkspaceOptions } from "./workspace/workspace.ts";
export { DEFAULT_LIMITS } from "./execution/check-request.ts";
export { type CommandRunnerOptions, createCommandRunner } from "./gate/create-command-runner.ts";
export { canInterpret } from "./execution/find-interpreter.ts";
export type { AdmissionOptions, NetworkUse } from "./execution/network/domain-rule.ts";
export type { Change } from "./changes/change.ts";
export { RunChanges, type RunChangesOptions, type ScriptChanges } from "./changes/run-changes.ts";
export { probeView } from "./changes/view.ts";
export { changesDiff } from "./gate/keep-changes.ts";
export {
  createRuntime,
  type Runtime,
  type RuntimeEnvironment,
  type RuntimeOptions,
} from "./gate/create-runtime.ts";
export {
  createSecrets,
  type RestoredText,
  type Secrets,
  type SecretsOptions,
} from "./secrets/secrets.ts";
export { acceptAudits, listAudits, pruneAudits } from "./lazy.ts";
export { traceAudit, verifyAudit, openApprovals } from "./lazy.ts";
