export type { Action } from "./actions/action.ts";
export type { Plan } from "./actions/plan.ts";
export type { Budget } from "./loop/budget.ts";
export type { AgentEvent, RunEvent, RunStatus } from "./events/run-event.ts";
export type { RunResult } from "./loop/drive-run.ts";
export { fromAiSdk } from "./models/adapters/ai-sdk.ts";
export { anthropic } from "./models/adapters/anthropic.ts";
export { withCost } from "./models/decorators/prices.ts";
export { withRateLimit, withRetry, withTimeout } from "./models/decorators/patience.ts";
export { gemini } from "./models/adapters/gemini.ts";
export { createOfflineModel, createRulesModel, createSequenceModel } from "./models/programs.ts";
export type {
  Model,
  ModelContext,
  ModelError,
  ModelMessage,
  ModelRequest,
  ModelResponse,
} from "./models/model.ts";
export { openAiCompatible } from "./models/adapters/openai-compatible.ts";
export { recorded } from "./models/recorded.ts";
export type { ResumeOptions } from "./run-agent.ts";
export { createFileStore } from "./runs/file-store.ts";
export { createMemoryStore, type RunLog, type RunStore } from "./runs/run-store.ts";
export type { RunOptions, RunPolicy } from "./runs/run-options.ts";
export { type RunSummary, summarizeRun } from "./runs/summarize-run.ts";
export { chooseModel, replayRun, resumeAgent, runAgent, settleChanges } from "./lazy.ts";
