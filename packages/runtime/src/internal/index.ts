export { contentDigest, isBeingWritten } from "../audit/audit.ts";
export {
  acceptAudits,
  type AuditList,
  finishRemovals,
  forgetAudit,
  listAudits,
  openAudit,
  type OpenAuditOptions,
  pruneAudits,
  removeAudit,
} from "../audit/register.ts";
export { createStderrLogger, type StderrLoggerOptions } from "../audit/stderr-logger.ts";
export { UNREDACTED } from "../audit/redaction/redactor.ts";
export { createStreamRedactor } from "../audit/redaction/stream-redactor.ts";
export type { AuditVerification } from "../audit/verify-audit.ts";
export { decide, ruleProblems } from "../policy/decide.ts";
export {
  type AllowedToolsMode,
  type Decision,
  type PolicyPlaces,
  type PolicyRequest,
  type PolicySkill,
  type RiskClass,
  type NarrowingRules,
  toolName,
} from "../policy/policy-settings.ts";
export type { ApprovalAnswer } from "../gate/open-scripts.ts";
export { type ApprovalStore, createFileApprovals } from "../approvals/store.ts";
export { createScriptExecutor } from "../gate/create-script-executor.ts";
export type { ScriptExecutorOptions } from "../gate/run-recorded.ts";
export {
  Gate,
  type ChangedFile,
  type ChangesCall,
  type DeniedChange,
  type GatedCall,
  type GateFailure,
  type GateFailureCode,
  type GateOptions,
  type GateResult,
} from "../gate/gate.ts";
export {
  guardTool,
  type GuardOptions,
  guardWorkspace,
  type GuardWorkspaceOptions,
} from "../gate/guard-tools.ts";
export {
  type Approval,
  type ApprovalCall,
  type ApprovalPreview,
  type ApprovalScope,
  type CalledScript,
  isAboutChanges,
} from "../approvals/approval.ts";
export {
  createDenyApprover,
  decideApproval,
  denyApprover,
  openRunApprovals,
  parseYesFlag,
  resumeApproval,
} from "../approvals/approvers.ts";
export {
  type Approvals,
  openApprovals,
  type OpenApprovalsOptions,
} from "../approvals/open-approvals.ts";
export {
  approvalChoices,
  approvalFacts,
  approvalSource,
  approvalText,
} from "../approvals/approval-text.ts";
export {
  chooseExecutor,
  createBubblewrapExecutor,
  createProcessExecutor,
  createSandboxRuntimeExecutor,
  hasSandbox,
} from "../execution/create-executor.ts";
export type { SandboxRuntimeOptions } from "../execution/sandbox-runtime.ts";
export type { CommandExecution, ExecutionLimits, ScriptExecution } from "../execution/executor.ts";
export type { ExecutionFailureCode } from "../execution/execution-failure.ts";
export type { CommandOptions, CommandResult, CommandRunner } from "../workspace/workspace.ts";
export { matchingFile, SECRET_FILES } from "../workspace/confinement/protected-files.ts";
export type { WorkspaceFailureCode } from "../workspace/confinement/open-folder.ts";
export { createWorkspaceTools, type WorkspaceTools } from "../workspace/create-workspace-tools.ts";
export type { NetworkLookup, NetworkTransport } from "../workspace/network/send-request.ts";
export type { WorkspaceOptions, WorkspaceTool } from "../workspace/workspace.ts";
export { DEFAULT_LIMITS } from "../execution/check-request.ts";
export { canInterpret } from "../execution/find-program.ts";
export type { Change } from "../changes/change.ts";
export { RunChanges, type RunChangesOptions, type ScriptChanges } from "../changes/run-changes.ts";
export { probeView } from "../changes/view.ts";
export type { SettledFiles } from "../gate/create-runtime.ts";
export { changesDiff } from "../gate/keep-changes.ts";
export {
  createCommandRunner,
  createRuntime,
  type RuntimeEnvironment,
  type RuntimeOptions,
} from "../gate/create-runtime.ts";
export { createSecrets, type Secrets } from "../secrets/secrets.ts";
