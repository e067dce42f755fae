export { type Action, actionSchema } from "./actions/action.ts";
export type { Plan } from "./actions/plan.ts";
export { type Budget, DEFAULT_BUDGET } from "./budget/budget.ts";
export type {
  AgentEvent,
  RunEnd,
  RunMeans,
  RunResume,
  RunStart,
  RunStatus,
  RunUsage,
} from "./events/agent-event.ts";
export type { RunResult } from "./loop/drive-run.ts";
export {
  chooseModel,
  type ChooseModelOptions,
  type ChosenModel,
} from "./models/choice/choose-model.ts";
export { createRulesModel } from "./models/mock/create-rules-model.ts";
export { createSequenceModel, type SequenceEntry } from "./models/mock/create-sequence-model.ts";
export { readRulesFile } from "./models/mock/read-rules-file.ts";
export { readSequenceFile } from "./models/mock/read-sequence-file.ts";
export type { Model, ModelRequest, ModelResponse } from "./models/model.ts";
export { createOfflineModel } from "./models/offline/create-offline-model.ts";
export {
  resumeAgent,
  type ResumeFailureCode,
  type ResumeOptions,
  type ResumeResult,
} from "./resume-agent.ts";
export { runAgent } from "./run-agent.ts";
export { createFileStore, type FileStore, type FileStoreOptions } from "./runs/file-store.ts";
export { createMemoryStore } from "./runs/memory-store.ts";
export type { OpenRunOptions } from "./runs/open-run.ts";
export { isPart, type PruneOptions, type PruneResult, pruneRuns } from "./runs/prune-runs.ts";
export { MAX_TEXT } from "./runs/redact-fields.ts";
export { compareLive, type LiveDecision } from "./runs/replay/compare-live.ts";
export { type ReplayDifference, replayRun, type ReplayResult } from "./runs/replay/replay-run.ts";
export type { RunLog, RunStore } from "./runs/run-log.ts";
export type { PolicyContext, RunPolicy } from "./runs/run-policy.ts";
export type { RunSummary } from "./runs/run-summary.ts";
export { subjectOf } from "./runs/subject-of.ts";
export { summarizeRun } from "./runs/summarize-run.ts";
