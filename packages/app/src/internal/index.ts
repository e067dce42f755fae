export { existingRoots, namedBase } from "../session/roots.ts";
export type { AgentOptions } from "../options.ts";
export { openSessionRegistry, registryOptions } from "../session/registry.ts";
export {
  openPlace,
  openSession,
  type Session,
  type SessionOptions,
  type SessionPlace,
  trustedSession,
} from "../session/session.ts";
export { openSessionSkills } from "../session/skills.ts";
export { sourceOption } from "../session/source.ts";
export {
  listRuns,
  openRuns,
  summaryOf,
  readRun,
  findRun,
  readRecords,
  latestRun,
} from "../runs/find-run.ts";
export { changeSince, shownRequest, waitingRequest } from "../runs/waiting-request.ts";
export { namedTools } from "../runtime/session-approver.ts";
export { workspaceOptions } from "../runtime/workspace-options.ts";
export { findOrFail } from "../session/find-or-fail.ts";
export { openAgentSession, openRunStore } from "../runs/agent-session.ts";
export { readAttachments } from "../runs/read-attachments.ts";
export { openRunModel, paramsUnused, openRecordedModel } from "../runs/open-run-model.ts";
export { removeRuns, retentionOf, type Removal } from "../runs/remove-runs.ts";
export {
  type RuntimeOptions,
  type OpenedExecutor,
  openExecutor,
} from "../runtime/execution-options.ts";
export { asAppFailure } from "../failure.ts";
export { noteRuleProblems, type RuntimeContext } from "../runtime/compose-runtime.ts";
export { createSessionPolicy } from "../runs/session-policy.ts";
export { removeCalls, CALL_RECORD, callsDirectory } from "../runtime/calls.ts";
export {
  addMcpSkills,
  mcpHostOf,
  isFromMcp,
  openMcpSessionRegistry,
} from "../mcp/mcp-session-skills.ts";
export { requireTrust } from "../session/require-trust.ts";
export { openNamedSkills, openNamedRegistry } from "../mcp/named-skills.ts";
export { LazyRuntime } from "../runtime/lazy-runtime.ts";
export { type AcceptanceOptions, openPackSettings, scanFailOn } from "../packs/settings.ts";
export { type Check } from "../doctor/check.ts";
export { executionChecks } from "../doctor/execution-checks.ts";
export { meantTrust } from "../session/meant-trust.ts";
export { trustedSkills, storedName, trustedName } from "../session/trusted-skill.ts";
export { textOf } from "../runs/text-of.ts";
export {
  type Conflict,
  type Decision,
  HeldChanges,
  type IsNamed,
  type Settled,
} from "../runs/held-changes.ts";
export { createHost } from "../mcp/session-host.ts";
export { requireVerified } from "../mcp/require-verified.ts";
export { LiveDecisions } from "../mcp/live-decisions.ts";
export { noteLogger } from "../mcp/note-logger.ts";
export { openServeRuntime } from "../mcp/open-serve-runtime.ts";
export { policyCheck } from "../doctor/policy-check.ts";
export { noteServers, isAboutServer } from "../mcp/note-servers.ts";
export {
  type DeclaredEnvironment,
  declaredEnvironments,
  environmentStore,
} from "../environments.ts";
export { doctorChecks } from "../doctor/doctor.ts";
export { scanProblems } from "../doctor/scan-problems.ts";
export {
  afterRun,
  type ConversationEntry,
  type ConversationState,
  findConversation,
  listConversations,
  NEW_CONVERSATION,
  NO_USAGE,
  openConversation,
} from "../runs/conversations.ts";
export { switchSkill } from "../skills/switches.ts";
export { answersOf } from "../runs/find-run.ts";
export { skillContent } from "../evals/catalog.ts";
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
export { suspectsOf } from "../evals/retry-suspects.ts";
export { runEval, type RunEvalOptions } from "../evals/run-eval.ts";
export type { EvalNumbers, EvalSettings, EvalWatcher, EvalWork } from "../evals/settings.ts";
export type { StressedTrigger } from "../evals/stress.ts";
export { runTrigger } from "../evals/trigger.ts";
