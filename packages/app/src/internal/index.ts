export {
  existingRoots,
  namedBase,
  openSessionRegistry,
  registryOptions,
  sourceOption,
} from "../session/registry.ts";
export {
  findOrFail,
  openPlace,
  openSession,
  type Session,
  type SessionOptions,
  type SessionPlace,
  trustedSession,
} from "../session/session.ts";
export {
  meantTrust,
  openSessionSkills,
  requireTrust,
  storedName,
  trustedName,
  trustedSkills,
} from "../session/skills.ts";
export {
  answersOf,
  changeSince,
  findRun,
  latestRun,
  describeRun,
  listRuns,
  openRuns,
  readRecords,
  readRun,
  shownRequest,
  summaryOf,
  waitingRequest,
} from "../runs/find-run.ts";
export {
  CALL_RECORD,
  callsDirectory,
  namedTools,
  removeCalls,
} from "../runtime/session-runtime.ts";
export {
  type AgentOptions,
  openAgentSession,
  openRecordedModel,
  openRunModel,
  openRunStore,
  paramsUnused,
} from "../runs/agent-session.ts";
export { readAttachments, textOf } from "../runs/read-attachments.ts";
export { removeRuns, retentionOf, type Removal } from "../runs/remove-runs.ts";
export { asAppFailure, asFailure } from "../failure.ts";
export {
  noteRuleProblems,
  type OpenedExecutor,
  openExecutor,
  type RuntimeContext,
  type RuntimeOptions,
  workspaceOptions,
} from "../runtime/compose-runtime.ts";
export { createSessionPolicy } from "../runs/session-policy.ts";
export {
  addMcpSkills,
  createHost,
  isAboutServer,
  isFromMcp,
  mcpHostOf,
  noteLogger,
  noteServers,
  openMcpSessionRegistry,
  openNamedRegistry,
  openNamedSkills,
  requireVerified,
} from "../mcp/mcp-session-skills.ts";
export { LazyRuntime } from "../runtime/lazy-runtime.ts";
export { type AcceptanceOptions, openPackSettings, openScanSettings } from "../packs/settings.ts";
export {
  type Conflict,
  type Decision,
  HeldChanges,
  type IsNamed,
  type Settled,
} from "../runs/held-changes.ts";
export { LiveDecisions, openServeRuntime } from "../mcp/open-serve-runtime.ts";
export {
  type Check,
  doctorChecks,
  executionChecks,
  policyCheck,
  scanProblems,
} from "../doctor/doctor.ts";
export {
  type DeclaredEnvironment,
  declaredEnvironments,
  environmentStore,
} from "../environments.ts";
export {
  afterRun,
  type ConversationEntry,
  findConversation,
  listConversations,
  NEW_CONVERSATION,
  NO_USAGE,
  openConversation,
} from "../runs/conversations.ts";
export { switchSkill, trustSkill, untrustSkill } from "../skills/app-skills.ts";
export {
  baselineFile,
  compareWith,
  concludeEval,
  type EvalRun,
  findBaseline,
  settleComparison,
  updateBaseline,
} from "../evals/conclude.ts";
export {
  changesBetween,
  evalFingerprint,
  type EvalRound,
  materialOf,
  touchedCases,
} from "../evals/fingerprint.ts";
export { placedJudge } from "../evals/graders.ts";
export { openEvalModel } from "../evals/model.ts";
export { type OpenedEval, openEval, openEvalSkills, withEval } from "../evals/open-eval.ts";
export { runEval, type RunEvalOptions, suspectsOf } from "../evals/run-eval.ts";
export {
  type EvalNumbers,
  type EvalSettings,
  type EvalWatcher,
  type EvalWork,
  skillContent,
} from "../evals/settings.ts";
export type { StressedTrigger } from "../evals/stress.ts";
export { runTrigger } from "../evals/trigger.ts";
export { type SkillStat, type SkillStats, skillStats } from "../stats/stats.ts";
export type { ConversationState } from "../api.ts";
export { systemProblem } from "../system-problem.ts";
