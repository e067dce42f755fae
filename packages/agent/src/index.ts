export type { Action } from "./actions/action.ts";
export type { Plan } from "./actions/plan.ts";
export { type Budget, DEFAULT_BUDGET, type RunUsage } from "./loop/budget.ts";
export type {
  ActionDecided,
  ActionEnded,
  ActionRejected,
  AgentEvent,
  Attachment,
  CatalogSkill as RunCatalogSkill,
  ChangesSettled,
  ChildEnd,
  ChildStart,
  ChildWait,
  Exchange,
  FileRead,
  ModelRequested,
  ModelResponded,
  RunCatalog,
  RecordedEvent,
  RunEnd,
  RunEvent,
  RunMeans,
  RunResume,
  RunStart,
  RunStatus,
  SkillActivated,
  SkillDropped,
  TextDelta,
} from "./events/run-event.ts";
export type { RunResult } from "./loop/drive-run.ts";
export { type AiSdkModel, fromAiSdk, type FromAiSdkOptions } from "./models/adapters/ai-sdk.ts";
export { anthropic, type AnthropicOptions } from "./models/adapters/anthropic.ts";
export type {
  ChooseModelFailureCode,
  ChooseModelOptions,
  ChosenModel,
  Keychain,
} from "./models/choose-model.ts";
export { type Provider, PROVIDERS } from "./models/providers.ts";
export {
  type CostOptions,
  type Price,
  type PricedModel,
  priceOf,
  type Prices,
  PRICES,
  withCost,
} from "./models/decorators/prices.ts";
export {
  type RateLimitOptions,
  type RetryOptions,
  type Sleep,
  type TimeoutOptions,
  withRateLimit,
  withRetry,
  withTimeout,
} from "./models/decorators/patience.ts";
export { gemini, type GeminiOptions } from "./models/adapters/gemini.ts";
export type { HttpModelOptions } from "./models/adapters/http-model.ts";
export {
  createOfflineModel,
  createRulesModel,
  createSequenceModel,
  type SequenceEntry,
} from "./models/programs.ts";
export type {
  ActionDefinition,
  ActiveSkill,
  CallFragment,
  Model,
  ModelCall,
  ModelContext,
  ModelError,
  ModelErrorCode,
  ModelImage,
  ModelMessage,
  ModelProtocol,
  ModelReasoning,
  ModelRequest,
  ModelResponse,
  ModelUsage,
  ModelView,
  Sampling,
  ViewedStep,
} from "./models/model.ts";
export {
  openAiCompatible,
  type OpenAiCompatibleOptions,
} from "./models/adapters/openai-compatible.ts";
export { recorded, type RecordedOptions } from "./models/recorded.ts";
export type { ResumeFailureCode, ResumeOptions, ResumeResult } from "./run-agent.ts";
export { type Conversation as RunConversation, conversationAfter } from "./runs/conversation.ts";
export { createFileStore, type FileStore, type FileStoreOptions } from "./runs/file-store.ts";
export { isPart, type PruneOptions, type PruneResult } from "./runs/prune-runs.ts";
export {
  createMemoryStore,
  type ExactTexts,
  type RunLog,
  type RunStore,
} from "./runs/run-store.ts";
export type {
  AnswerOptions,
  OpenRunOptions,
  PolicyContext,
  RunPolicy,
} from "./runs/run-options.ts";
export { MAX_TEXT } from "./runs/redact-fields.ts";
export type { LiveDecision } from "./runs/compare-live.ts";
export type { ReplayDifference, ReplayResult } from "./runs/replay.ts";
export { type RunSummary, subjectOf, summarizeRun } from "./runs/summarize-run.ts";
export {
  chooseModel,
  openMockModel,
  resumeAgent,
  runAgent,
  pruneRuns,
  settleChanges,
  compareLive,
  replayRun,
} from "./lazy.ts";
