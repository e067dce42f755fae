export { DEFAULT_BUDGET, type RunUsage } from "../loop/budget.ts";
export type {
  ActionDecided,
  Attachment,
  CatalogSkill as RunCatalogSkill,
  ChangesSettled,
  ModelRequested,
  ModelResponded,
  RunResume,
  RunStart,
  SkillActivated,
  TextDelta,
} from "../events/run-event.ts";
export type { AiSdkModel } from "../models/adapters/ai-sdk.ts";
export type { AnthropicOptions } from "../models/adapters/anthropic.ts";
export type { ChooseModelOptions } from "../models/choose-model.ts";
export { PROVIDERS } from "../models/providers.ts";
export { type PricedModel, priceOf, type Prices } from "../models/decorators/prices.ts";
export type { RetryOptions } from "../models/decorators/patience.ts";
export type { GeminiOptions } from "../models/adapters/gemini.ts";
export type { HttpModelOptions } from "../models/adapters/http-model.ts";
export type { SequenceEntry } from "../models/programs.ts";
export type {
  ActionDefinition,
  ActiveSkill,
  CallFragment,
  ModelCall,
  ModelProtocol,
  ModelView,
  Sampling,
  ViewedStep,
} from "../models/model.ts";
export type { OpenAiCompatibleOptions } from "../models/adapters/openai-compatible.ts";
export type { RecordedOptions } from "../models/recorded.ts";
export type { ResumeResult } from "../run-agent.ts";
export { type Conversation as RunConversation, conversationAfter } from "../runs/conversation.ts";
export type { FileStore } from "../runs/file-store.ts";
export { isPart, type PruneResult } from "../runs/prune-runs.ts";
export { MAX_TEXT } from "../runs/redact-fields.ts";
export { subjectOf } from "../runs/summarize-run.ts";
export { openMockModel, pruneRuns } from "../lazy.ts";
