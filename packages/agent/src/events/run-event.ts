import type { JsonSchema } from "@skillwright/core/internal";
import type { AuditRecord } from "@skillwright/runtime";
import type { Action } from "../actions/action.ts";
import type { Plan } from "../actions/plan.ts";
import type {
  ActionDefinition,
  ModelCall,
  ModelError,
  ModelImage,
  ModelMessage,
  ModelProtocol,
  ModelResponse,
  ModelReasoning,
  ModelUsage,
  Sampling,
} from "../models/model.ts";
import type { Budget, RunUsage } from "../loop/budget.ts";

/**
 * Everything that happens in a run, for the record, the terminal, evals and hosts. The state of a run is a
 * fold of these events, and of those of the runtime that are recorded between them.
 */
export type AgentEvent =
  | { readonly event: "run-start"; readonly data: RunStart }
  | { readonly event: "run-resume"; readonly data: RunResume }
  /** Messages of the conversation before this run, in order. */
  | { readonly event: "history-add"; readonly data: { readonly entries: readonly ContextEntry[] } }
  /** The request was matched with the catalog before the first turn. */
  | { readonly event: "skill-route"; readonly data: SkillRouted }
  | { readonly event: "model-request"; readonly data: ModelRequested }
  | { readonly event: "model-response"; readonly data: ModelResponded }
  | { readonly event: "action-decide"; readonly data: ActionDecided }
  /** A call could not be used, and the model is told why. */
  | { readonly event: "action-reject"; readonly data: ActionRejected }
  | { readonly event: "plan-update"; readonly data: { readonly turn: number; readonly plan: Plan } }
  | { readonly event: "skill-activate"; readonly data: SkillActivated }
  /** An active skill is gone: not there, not trusted, or unloaded by the model. */
  | { readonly event: "skill-drop"; readonly data: SkillDropped }
  | { readonly event: "file-read"; readonly data: FileRead }
  | { readonly event: "child-start"; readonly data: ChildStart }
  | { readonly event: "child-end"; readonly data: ChildEnd }
  /** The child waits for an approval, and so does its parent. */
  | { readonly event: "child-wait"; readonly data: ChildWait }
  | { readonly event: "action-end"; readonly data: ActionEnded }
  /** Old results were shortened to make room. */
  | { readonly event: "context-trim"; readonly data: ContextTrimmed }
  | { readonly event: "run-end"; readonly data: RunEnd }
  /** A person decided on held changes, or undid kept ones, while nothing worked on the run. */
  | { readonly event: "changes-settle"; readonly data: ChangesSettled };

/** A recorded event: of the agent or of the runtime. */
export type RecordedEvent = Omit<AuditRecord, "event" | "data"> & (AgentEvent | RuntimeEvent);

/** Documented by `@skillwright/runtime`. */
interface RuntimeEvent {
  readonly event:
    | "approval-request"
    | "approval-decision"
    | "policy-deny"
    | "script-start"
    | "script-end"
    | "command-start"
    | "command-end"
    | "changes-request"
    | "changes-decision"
    | "changes-apply"
    | "changes-end"
    | "tool-call"
    | "tool-end"
    | "workspace-read"
    | "workspace-write"
    | "secret-read"
    | "audit-recovered";
  readonly data: unknown;
}

/** Shown while it happens and never recorded. */
export interface TextDelta {
  readonly event: "text-delta";
  readonly data: { readonly runId: string; readonly turn: number; readonly text: string };
}

/** All that `onEvent` receives. */
export type RunEvent = RecordedEvent | TextDelta;

/** What a run works with; what the model is sent depends on it. */
export interface RunMeans {
  readonly model: string;
  readonly protocol: ModelProtocol;
  readonly contextTokens: number;
  readonly maxOutputTokens?: number;
  readonly acceptsImages?: boolean;
  readonly sampling?: Sampling;
  /** Beside the actions. */
  readonly tools: readonly ActionDefinition[];
  /** Whether scripts can be run. */
  readonly canRun: boolean;
  /** There was no skill when the run began, so no tool for skills is offered. */
  readonly noSkills?: boolean;
  /** The schema of a structured answer. */
  readonly answer?: JsonSchema;
}

export interface RunStart {
  readonly schemaVersion: 2;
  readonly runId: string;
  /** Of a child run. */
  readonly parent?: string;
  /** The skill that a child run works through. */
  readonly skill?: string;
  readonly request: string;
  readonly normalizedRequest: string;
  readonly means: RunMeans;
  readonly budget: Budget;
  readonly catalog: RunCatalog;
  /** The system prompt, catalog included. */
  readonly system: string;
  readonly invoked?: RunInvocation;
  /** Skills that the person wants used. */
  readonly use?: readonly string[];
  /** Of `use`, those that work in a child run. */
  readonly apart?: readonly string[];
  readonly attachments?: readonly Attachment[];
  readonly conversation?: ConversationStart;
  /** Names of known secrets that were read earlier in the conversation, or by the parent. */
  readonly secretNames?: readonly string[];
  /** Why it cannot begin with what it was given. */
  readonly problem?: { readonly message: string; readonly hint?: string };
}

/** The messages are in `history-add` events. */
export interface ConversationStart {
  readonly id: string;
  readonly previous?: string;
  /** The oldest first. */
  readonly exchanges: readonly Exchange[];
  readonly omitted?: number;
  readonly hasMessages?: boolean;
  /** How many messages its `history-add` events have together. */
  readonly messageCount?: number;
  /** As `name@source`: active when the run before ended. */
  readonly skills: readonly string[];
}

export interface ContextTrimmed {
  /** Results and arguments in messages before this position are shortened. */
  readonly before: number;
  readonly tokensBefore: number;
  readonly tokens: number;
}

/** The skill that the person called by name, and the text after the name. */
interface RunInvocation {
  readonly skill: string;
  readonly arguments: string;
  /** It works in a child run. */
  readonly apart?: true;
}

interface RunCatalog {
  readonly digest: string;
  readonly tokens: number;
  readonly skills: readonly CatalogSkill[];
  /** Skills that had no room in the prompt; search finds them. */
  readonly omitted: number;
}

export interface CatalogSkill {
  readonly name: string;
  readonly description: string;
  readonly source: string;
}

export interface RunResume {
  readonly reason: "approval" | "crash" | "person";
  /** The approval with which it goes on. */
  readonly approval?: string;
  /** A new budget from the person, which includes earlier use. */
  readonly budget?: Budget;
  /** Changes of scripts that still wait for a person. */
  readonly heldChanges?: number;
  readonly means: RunMeans;
}

export interface ModelRequested {
  readonly turn: number;
  /** Digest of the request. */
  readonly digest: string;
  readonly tokens: number;
  /** Messages that no longer fit; the record still has them. */
  readonly dropped: number;
  /** Ids of skills among them. */
  readonly droppedSkills?: readonly string[];
  /** The last turn that the budget allows: nothing but an answer is accepted. */
  readonly mustAnswer: boolean;
}

export interface ModelResponded {
  readonly turn: number;
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly reasoning?: readonly ModelReasoning[];
  readonly finish?: Extract<ModelResponse, { ok: true }>["finish"];
  readonly error?: ModelError;
  readonly usage: ModelUsage;
  readonly latencyMs: number;
  /** Since the run began, without the time it was stopped. */
  readonly elapsedMs: number;
  /** Characters of an answer that is too long for the record, and so for use. */
  readonly tooLong?: number;
  /** The record leaves something out. */
  readonly redacted?: true;
}

export interface ActionDecided {
  readonly turn: number;
  /** Position of the call in its turn. */
  readonly call: number;
  readonly action: Action;
  readonly callId?: string;
  /** The record leaves something out. */
  readonly redacted?: true;
}

export interface ActionRejected {
  readonly turn: number;
  readonly call: number;
  readonly problem: string;
  readonly callId?: string;
  /** It could not be parsed at all, or was the same again, which counts towards giving up. */
  readonly unparsed?: true;
}

export interface SkillRouted {
  readonly decision: "none" | "hint" | "activate";
  /** The best two with their scores. */
  readonly candidates: readonly {
    readonly name: string;
    readonly source: string;
    readonly score: number;
  }[];
  /** How far the first is ahead, and how far it has to be: 0 to 1. */
  readonly margin: number;
  readonly needed: number;
  /** Words of the request that the first has. */
  readonly matches: readonly string[];
  /** What the model reads beside the request. */
  readonly hint?: string;
}

export interface SkillActivated {
  readonly turn: number;
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly digest: string;
  readonly tokens: number;
  readonly by: "model" | "person";
  readonly text: string;
  readonly files: readonly string[];
  /** It was active or in the conversation before, with other content. */
  readonly changed?: true;
  /** It was active when the run before this one ended. */
  readonly carried?: true;
}

export interface SkillDropped {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
  /** The model unloaded it. */
  readonly by?: "model";
}

export interface FileRead {
  readonly turn: number;
  readonly skill: string;
  readonly path: string;
  readonly ok: boolean;
  /** Of the text that the model got. */
  readonly tokens?: number;
}

interface ChildStart {
  readonly turn: number;
  readonly runId: string;
  readonly skill: string;
}

interface ChildWait {
  readonly runId: string;
  readonly approval: string;
}

export interface ChildEnd extends ChildStart {
  readonly status: RunStatus;
  readonly answer: string;
  readonly heldChanges?: number;
  /** Names of known secrets that it or its parent has read. */
  readonly secretNames?: readonly string[];
  readonly usage: RunUsage;
}

export interface ActionEnded {
  readonly turn: number;
  readonly call: number;
  readonly ok: boolean;
  readonly code?: string;
  readonly observation: string;
  readonly images?: readonly RecordedImage[];
  /** The whole output, when the observation is a part of it. */
  readonly output?: { readonly bytes: number; readonly digest: string; readonly file?: string };
  readonly elapsedMs: number;
}

/** The record leaves `data` out; the file is kept with the run. */
export interface RecordedImage {
  readonly mediaType: ModelImage["mediaType"];
  readonly data?: string;
  readonly bytes: number;
  readonly digest: string;
  readonly file?: string;
}

export type RunStatus =
  | "answered"
  /** Answered, but every script that ran failed, and nothing was achieved. */
  | "failed"
  | "budget_exhausted"
  | "needs_approval"
  | "denied"
  | "invalid_output"
  | "model_failed"
  | "canceled"
  | "error";

export interface RunEnd {
  readonly status: RunStatus;
  /** The model's answer; without one, what was achieved so far. */
  readonly answer: string;
  /** `answer` is the model's, though the status is not `answered`. */
  readonly isAnswer?: true;
  /** Why it did not end as `answered`. */
  readonly reason?: string;
  readonly hint?: string;
  /** For programs: what is missing. */
  readonly code?: string;
  /** The approval that it waits for; `changes` for those of scripts. */
  readonly approval?: string;
  /** Changes of scripts that wait for a person. A child's are decided on with those of its parent. */
  readonly heldChanges?: number;
  /** Which part of the budget ended it. */
  readonly exhausted?: keyof Budget;
  /** The structured answer, when a schema was asked for. */
  readonly output?: unknown;
  readonly usage: RunUsage;
}

export interface ChangesSettled {
  readonly decision: "kept" | "discarded" | "undone";
  /** Who decided. */
  readonly principal: string;
  /** The first of the paths, from the working directory, with `/`. */
  readonly paths: readonly string[];
  readonly count: number;
  /** What was to be kept or undone, but is not as the script left it. */
  readonly conflicts?: readonly string[];
  /** How many changes wait afterwards, those of child runs included; absent while it is only intended. */
  readonly left?: number;
}

/** A file that a person gives with a request. The host reads it. */
export interface Attachment {
  /** Relative to the working directory, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /** `sha256:…` of the whole file; `[redacted]` in the record when the text holds a secret. */
  readonly digest: string;
  /** Its beginning, when it is text. */
  readonly text?: string;
  /** The text is not all of it. */
  readonly truncated?: true;
  /** When it is an image that the model may look at. */
  readonly image?: RecordedImage;
}

export interface Exchange {
  readonly runId: string;
  readonly request: string;
  /** Without an answer, what the run achieved. */
  readonly answer: string;
}

/** A message of the conversation, and what may happen to it when the context gets tight. */
export interface ContextEntry {
  readonly message: ModelMessage;
  readonly kind: "history" | "request" | "decision" | "observation" | "skill";
  /** A shorter version. */
  readonly brief?: ModelMessage;
  /** Id of the skill whose instructions these are. */
  readonly skill?: string;
}
