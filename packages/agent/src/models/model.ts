import type { SkillRecord } from "@skillwright/core";
import type { JsonSchema } from "@skillwright/core/internal";

/** Decides what to do next: a service, a program, a list of answers. */
export interface Model {
  /** `provider:name`, as it is recorded. */
  readonly id: string;
  /** How it decides: by native tool calls, or as one JSON object in its text. */
  readonly protocol: ModelProtocol;
  /** How many tokens a request and its answer may have together. */
  readonly contextTokens: number;
  /** The most tokens one answer may have. Default 16,384. */
  readonly maxOutputTokens?: number;
  /** Whether messages may carry images. */
  readonly acceptsImages?: boolean;
  /** The sampling parameters it was set up with, for the record. */
  readonly sampling?: Sampling;
  /**
   * Contract: does not throw or reject for anything that the provider does; a failure is a value.
   * Ends soon after the signal, as `canceled`. Usage is reported also for failures, as far as known.
   */
  decide(request: ModelRequest, context?: ModelContext): Promise<ModelResponse>;
}

export type ModelProtocol = "tools" | "json";

/** Passed to the provider as its API names them; left out where unset. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly seed?: number;
  readonly maxOutputTokens?: number;
  readonly reasoningEffort?: string;
}

export interface ModelContext {
  readonly signal?: AbortSignal;
  /** Called before waiting for a retry or a rate limit; what it returns is called afterwards. Stops a clock, say. */
  readonly pause?: () => () => void;
  /** Receives the text as it streams. Must not throw. */
  readonly onText?: (text: string) => void;
  /** Receives the arguments of a tool call as they stream: raw JSON fragments. Must not throw. */
  readonly onCallText?: (fragment: CallFragment) => void;
}

export interface CallFragment {
  /** Position of the call in this answer. */
  readonly index: number;
  readonly name: string;
  readonly text: string;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** What the model may decide on. */
  readonly actions: readonly ActionDefinition[];
  readonly maxOutputTokens: number;
  /** The same as plain data, for models that are programs. It is never sent to a service. */
  readonly view: ModelView;
}

/**
 * One message. Its parts are fields rather than a list, because their order never varies: reasoning,
 * text, images, calls.
 */
export type ModelMessage =
  | { readonly role: "user"; readonly content: string; readonly images?: readonly ModelImage[] }
  | {
      readonly role: "assistant";
      readonly content: string;
      readonly calls?: readonly ModelCall[];
      readonly reasoning?: readonly ModelReasoning[];
    }
  /** The result of a call. Without `callId`, the result of a decision that the model wrote as text. */
  | {
      readonly role: "observation";
      readonly content: string;
      readonly callId?: string;
      readonly isError?: boolean;
      readonly images?: readonly ModelImage[];
    };

export interface ModelImage {
  readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** Base64. */
  readonly data: string;
}

/** Reasoning that a provider wants back unchanged. Other providers never see it. */
export interface ModelReasoning {
  readonly provider: string;
  readonly data: unknown;
}

/** A native tool call. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  /** Parsed, or the text if it is not JSON. */
  readonly input: unknown;
}

export interface ActionDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

export interface ModelView {
  /** What the person asked for. */
  readonly request: string;
  /** Earlier requests and their answers, oldest first. */
  readonly history?: readonly { readonly request: string; readonly answer: string }[];
  /** Files attached to the request. */
  readonly attachments?: readonly { readonly path: string }[];
  /** Names of the active skills that the person wants used, without having called one. */
  readonly wanted?: readonly string[];
  /** Level 1, as far as it is in the prompt. */
  readonly skills: readonly Pick<SkillRecord, "name" | "description" | "source">[];
  /** How many more can be found by search. */
  readonly omittedSkills: number;
  /** Level 2, oldest first. */
  readonly active: readonly ActiveSkill[];
  /** What was done so far, with the results. */
  readonly steps: readonly ViewedStep[];
  /** Names that `use_tool` takes. */
  readonly tools: readonly string[];
  /** Only an answer is accepted now. */
  readonly mustAnswer: boolean;
}

export interface ActiveSkill {
  readonly name: string;
  readonly source: string;
  /** What the model reads of it, body and frame. */
  readonly text: string;
  readonly scripts: readonly string[];
  readonly files: readonly string[];
  /** Active since an earlier request, and not asked for in this one. */
  readonly carried?: true;
}

export interface ViewedStep {
  /** The decision as plain data: `{ action, … }`. */
  readonly action: Readonly<Record<string, unknown>> & { readonly action: string };
  readonly ok: boolean;
  /** Why it failed, for programs: `canceled` and `interrupted` may be repeated. */
  readonly code?: string;
  readonly observation: string;
}

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the input, what was read from and written to the provider's cache. */
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Attempts: more than one after retries. */
  readonly calls: number;
  /** In US dollars, when the price is known. */
  readonly cost?: number;
}

export type ModelResponse =
  | {
      readonly ok: true;
      readonly message: {
        readonly text: string;
        readonly calls: readonly ModelCall[];
        readonly reasoning?: readonly ModelReasoning[];
      };
      readonly finish: "stop" | "calls" | "length" | "refused" | "other";
      readonly usage: ModelUsage;
      readonly latencyMs: number;
    }
  | {
      readonly ok: false;
      readonly error: ModelError;
      readonly usage: ModelUsage;
      readonly latencyMs: number;
    };

export interface ModelError {
  readonly code: ModelErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly status?: number;
  readonly hint?: string;
}

export type ModelErrorCode =
  | "canceled"
  | "timed-out"
  | "rate-limited"
  | "overloaded"
  | "unreachable"
  | "unauthorized"
  | "refused-request"
  | "context-overflow"
  | "unreadable-answer"
  | "cassette-missing"
  | "no-more-answers"
  | "provider-failed";
