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
  PolicyDecision,
  PolicyPlaces,
  PolicyRequest,
  PolicySkill,
  RunPolicy,
} from "./policy/policy-request.ts";
export type { Decision } from "./policy/decision.ts";
export { decide } from "./policy/decide.ts";
export { parseCommand } from "./policy/command/parse-command.ts";
export type { ParsedCommand, SimpleCommand } from "./policy/command/simple-command.ts";
export {
  type AllowedToolsMode,
  DEFAULT_POLICY,
  type PolicySettings,
  policySettings,
} from "./policy/policy-settings.ts";
export { type PolicyRow, policyTable } from "./policy/policy-table.ts";
export { RISK_CLASSES, type RiskClass, type ToolRisk } from "./policy/risk-classes.ts";
export { ruleProblems } from "./policy/rule-problems.ts";
export { toolName } from "./policy/tool-names.ts";
export { createScriptExecutor, type ScriptExecutorOptions } from "./gate/create-script-executor.ts";
export { Gate, type GatedCall, type GateOptions, type GateResult } from "./gate/gate.ts";
export { guardTool, type GuardOptions } from "./gate/guard-tool.ts";
export type {
  Approval,
  ApprovalDecision,
  ApprovalPreview,
  ApprovalRequest,
  ApprovalScope,
} from "./approvals/approval.ts";
export { ApprovalError } from "./approvals/approval-error.ts";
export type { Approvals } from "./approvals/approvals.ts";
export type { Approver, AskContext } from "./approvals/approvers/approver.ts";
export { chainApprovers } from "./approvals/approvers/chain-approvers.ts";
export { createFlagApprover } from "./approvals/approvers/create-flag-approver.ts";
export { decideApproval } from "./approvals/approvers/decide-approval.ts";
export { denyApprover, resumeCommand } from "./approvals/approvers/deny-approver.ts";
export { parseYesFlag } from "./approvals/approvers/parse-yes-flag.ts";
export type { OpenApprovalsOptions } from "./approvals/open-approvals.ts";
export type { ApprovalCall, CalledScript } from "./approvals/request/approval-call.ts";
export { matchesCall } from "./approvals/request/matches-call.ts";
export { type ApprovalChoice, approvalChoices } from "./approvals/text/approval-choices.ts";
export { approvalText } from "./approvals/text/approval-text.ts";
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
  type SandboxRuntimeOptions,
} from "./execution/create-executor.ts";
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
export { receiptText } from "./execution/output.ts";
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
export { DEFAULT_LIMITS } from "./execution/check-request.ts";
export {
  commandLineRunner,
  type CommandRunnerOptions,
  createCommandRunner,
} from "./gate/create-command-runner.ts";
export { canInterpret } from "./execution/find-interpreter.ts";
export type { AdmissionOptions, NetworkUse } from "./execution/network/domain-rule.ts";
export type { Change } from "./changes/change.ts";
export { RunChanges, type RunChangesOptions, type ScriptChanges } from "./changes/run-changes.ts";
export { probeView } from "./changes/view.ts";
export { changesDiff } from "./gate/keep-changes.ts";
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
