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
export type { TraceAuditOptions } from "./audit/trace-audit.ts";
export type { TraceApi } from "./audit/tracing/trace-api.ts";
export type { AuditVerification, VerifyAuditOptions } from "./audit/verify-audit.ts";
export type {
  Decision,
  PolicyDecision,
  PolicyPlaces,
  PolicyRequest,
  PolicySkill,
  RunPolicy,
} from "./policy/policy-request.ts";
export { decide } from "./policy/decide.ts";
export {
  type AllowedToolsMode,
  DEFAULT_POLICY,
  type PolicySettings,
  policySettings,
} from "./policy/policy-settings.ts";
export { RISK_CLASSES, type RiskClass, toolName, type ToolRisk } from "./policy/tools.ts";
export { ruleProblems } from "./policy/policy-rule.ts";
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
export { guardTool, type GuardOptions } from "./gate/guard-tool.ts";
export {
  type Approval,
  type ApprovalDecision,
  ApprovalError,
  type ApprovalPreview,
  type ApprovalRequest,
  type Approvals,
  type ApprovalScope,
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
} from "./approvals/approvers.ts";
export type { OpenApprovalsOptions } from "./approvals/open-approvals.ts";
export { type ApprovalCall, type CalledScript, matchesCall } from "./approvals/request.ts";
export {
  type ApprovalChoice,
  approvalChoices,
  type ApprovalFacts,
  approvalFacts,
  approvalSource,
  approvalText,
} from "./approvals/approval-text.ts";
export {
  chooseExecutor,
  type ChooseExecutorOptions,
  type ChosenExecutor,
  createExecutor,
  hasSandbox,
} from "./execution/choose-executor.ts";
export { createCodeExecutor } from "./execution/code-executor.ts";
export type {
  ExecutionFailure,
  ExecutionFailureCode,
  ExecutionReceipt,
} from "./execution/execution-receipt.ts";
export type { ExecutionLimits, ExecutionRequest } from "./execution/execution-request.ts";
export type { ExecutionContext, Executor } from "./execution/executor.ts";
export { receiptText } from "./execution/receipt-text.ts";
export { guardWorkspace } from "./gate/guard-workspace.ts";
export type { GuardWorkspaceOptions } from "./gate/guard-workspace-options.ts";
export type {
  CommandOptions,
  CommandResult,
  CommandRunner,
} from "./workspace/command/command-runner.ts";
export {
  matchingFile,
  PROTECTED_FILES,
  SECRET_FILES,
} from "./workspace/confinement/protected-files.ts";
export type { WorkspaceFailureCode } from "./workspace/confinement/workspace-failure.ts";
export { createWorkspaceTools, type WorkspaceTools } from "./workspace/create-workspace-tools.ts";
export { restoreDeleted } from "./workspace/files/restore-deleted.ts";
export { type EditFileInput, previewEdit } from "./workspace/files/edit-file.ts";
export type { ReadImageResult } from "./workspace/files/read-file.ts";
export {
  previewWrite,
  type WriteFileInput,
  type WriteFileResult,
} from "./workspace/files/write-file.ts";
export type { WorkspaceTool } from "./workspace/input/define-workspace-tool.ts";
export type { NetworkLookup, NetworkTransport } from "./workspace/network/network-transport.ts";
export { realWorkspacePath } from "./workspace/real-workspace-path.ts";
export {
  WORKSPACE_TOOLS,
  type WorkspaceToolName,
  workspaceToolName,
} from "./workspace/workspace-names.ts";
export type { WorkspaceOptions } from "./workspace/workspace-options.ts";
export { createBubblewrapExecutor } from "./execution/bubblewrap-executor.ts";
export type { BubblewrapOptions } from "./execution/bubblewrap-options.ts";
export { DEFAULT_LIMITS } from "./execution/execution-limits.ts";
export { createProcessExecutor } from "./execution/process-executor.ts";
export { commandLineRunner } from "./gate/command-line-runner.ts";
export { createCommandRunner, type CommandRunnerOptions } from "./gate/create-command-runner.ts";
export { canInterpret } from "./execution/can-interpret.ts";
export { createSandboxRuntimeExecutor } from "./execution/sandbox-runtime/sandbox-runtime-executor.ts";
export type { SandboxRuntimeOptions } from "./execution/sandbox-runtime/sandbox-runtime-options.ts";
export type { AdmissionOptions } from "./execution/network/admit-target.ts";
export type { NetworkUse } from "./execution/network/network-record.ts";
export { createRuntime, type Runtime, type RuntimeOptions } from "./gate/create-runtime.ts";
export type { RuntimeEnvironment } from "./gate/environment.ts";
export {
  createSecrets,
  type RestoredText,
  type Secrets,
  type SecretsOptions,
} from "./secrets/secrets.ts";
export { contentDigest } from "./audit/content-digest.ts";
export { traceAudit, verifyAudit, resumeApproval, openApprovals } from "./lazy.ts";
