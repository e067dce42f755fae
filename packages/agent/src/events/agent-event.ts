import type { Action } from "../actions/action.ts";
import type { Plan } from "../actions/plan.ts";
import type {
  ActionDefinition,
  ModelCall,
  ModelError,
  ModelProtocol,
  ModelResponse,
  ModelUsage,
} from "../models/model.ts";
import type { Budget } from "../budget/budget.ts";
import type { RunUsage } from "../budget/run-usage.ts";
import type { Attachment } from "../runs/attachment.ts";
import type { Conversation } from "../runs/conversation.ts";

/**
 * Everything that happens in a run. The record, the terminal, evals and hosts all read this stream,
 * and the state of a run is made from nothing else. Between these stand the events of the runtime:
 * `policy-deny`, `approval-request`, `approval-decision`, `script-start`, `script-end`, `tool-call`,
 * `tool-end`, `workspace-read`, `workspace-write`.
 */
export type AgentEvent =
  | { readonly event: "run-start"; readonly data: RunStart }
  | { readonly event: "run-resume"; readonly data: RunResume }
  /** A turn begins: the model is about to be asked. */
  | { readonly event: "model-request"; readonly data: ModelRequested }
  | { readonly event: "model-response"; readonly data: ModelResponded }
  /** What the model said was an action, and it is about to be done. */
  | { readonly event: "action-decide"; readonly data: ActionDecided }
  /** What the model said could not be used, and it is told why. */
  | { readonly event: "action-reject"; readonly data: ActionRejected }
  | { readonly event: "plan-update"; readonly data: { readonly turn: number; readonly plan: Plan } }
  | { readonly event: "skill-activate"; readonly data: SkillActivated }
  /** A skill that was active is not there any more, or not trusted. */
  | { readonly event: "skill-drop"; readonly data: SkillDropped }
  /** A file of a skill. */
  | { readonly event: "file-read"; readonly data: FileRead }
  | { readonly event: "child-start"; readonly data: ChildStart }
  | { readonly event: "child-end"; readonly data: ChildEnd }
  /** The child waits for an approval, and so does its parent. */
  | { readonly event: "child-wait"; readonly data: ChildWait }
  /** The observation: what came of the action, as the model gets to read it. */
  | { readonly event: "action-end"; readonly data: ActionEnded }
  | { readonly event: "run-end"; readonly data: RunEnd };

/** What a run works with; what the model is sent depends on it. */
export interface RunMeans {
  readonly model: string;
  readonly protocol: ModelProtocol;
  readonly contextTokens: number;
  /** What `use_tool` reaches. */
  readonly tools: readonly ActionDefinition[];
  /** Whether scripts can be run. */
  readonly canRun: boolean;
}

export interface RunStart {
  readonly runId: string;
  /** Of a child run. */
  readonly parent?: string;
  /** The skill that a child run works through. */
  readonly skill?: string;
  readonly request: string;
  readonly normalizedRequest: string;
  readonly means: RunMeans;
  readonly budget: Budget;
  /** Level 1: all that the model knows of skills before its first decision. */
  readonly catalog: RunCatalog;
  /** What the model is told in every turn, the catalog included. */
  readonly system: string;
  readonly invoked?: RunInvocation;
  /** Skills that the person wants used. */
  readonly use?: readonly string[];
  /** Of these, the ones that work in a child run. */
  readonly apart?: readonly string[];
  readonly attachments?: readonly Attachment[];
  /** What was said before. */
  readonly conversation?: Conversation;
  /** Why it cannot begin with what it was given; then it ends before anything is asked. */
  readonly problem?: { readonly message: string; readonly hint?: string };
}

/** The skill that the person called by name, and what stood behind the name. */
interface RunInvocation {
  readonly skill: string;
  readonly arguments: string;
  /** It works in a child run. */
  readonly apart?: true;
}

export interface RunCatalog {
  readonly digest: string;
  readonly tokens: number;
  readonly skills: readonly CatalogSkill[];
  /** Not in the prompt for want of room; to be found by search. */
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
  /** What it may use from now on, its earlier use included, when the person gives it another budget. */
  readonly budget?: Budget;
  readonly means: RunMeans;
}

export interface ModelRequested {
  readonly turn: number;
  /** Of all that the model is sent. */
  readonly digest: string;
  readonly tokens: number;
  /** Observations that no longer fit; the record still has them. */
  readonly dropped: number;
  /** Ids of skills whose instructions no longer fit; who needs one selects it again. */
  readonly droppedSkills?: readonly string[];
  readonly mustAnswer: boolean;
}

export interface ModelResponded {
  readonly turn: number;
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly finish?: Extract<ModelResponse, { ok: true }>["finish"];
  readonly error?: ModelError;
  readonly usage: ModelUsage;
  readonly latencyMs: number;
  /** Since the run began, without the time it was stopped. */
  readonly elapsedMs: number;
  /** Characters of an answer that is too long for the record, and so for use. */
  readonly tooLong?: number;
  /** The decision in it held something that is left out here. */
  readonly redacted?: true;
}

export interface ActionDecided {
  readonly turn: number;
  readonly action: Action;
  readonly callId?: string;
  /** Why the plan stays as it was; the action is done all the same. */
  readonly planProblem?: string;
  /** What is done is not quite this: it holds something that is left out here. */
  readonly redacted?: true;
}

export interface ActionRejected {
  readonly turn: number;
  readonly problem: string;
  readonly callId?: string;
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
  /** It was active before, with another content. */
  readonly changed?: true;
  /** It was active at the end of the run before this one, and nobody asked for it again. */
  readonly carried?: true;
}

export interface SkillDropped {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}

export interface FileRead {
  readonly turn: number;
  readonly skill: string;
  readonly path: string;
  readonly ok: boolean;
}

export interface ChildStart {
  readonly turn: number;
  readonly runId: string;
  readonly skill: string;
}

export interface ChildWait {
  readonly runId: string;
  readonly approval: string;
}

export interface ChildEnd extends ChildStart {
  readonly status: RunStatus;
  readonly answer: string;
  readonly usage: RunUsage;
}

export interface ActionEnded {
  readonly turn: number;
  readonly ok: boolean;
  readonly code?: string;
  /** The model named what is not there, and was told so. */
  readonly invalid?: boolean;
  readonly observation: string;
  /** Of the whole output, when the observation is a part of it. */
  readonly output?: { readonly bytes: number; readonly digest: string; readonly file?: string };
  readonly elapsedMs: number;
}

export type RunStatus =
  | "answered"
  | "budget_exhausted"
  | "needs_approval"
  | "denied"
  | "invalid_output"
  | "model_failed"
  | "canceled"
  | "error";

export interface RunEnd {
  readonly status: RunStatus;
  /** The model's answer; where it gave none, what was achieved so far. */
  readonly answer: string;
  /** It is the model's answer, though the run did not end as answered. */
  readonly isAnswer?: true;
  /** Why it ended, when it is not answered. */
  readonly reason?: string;
  readonly hint?: string;
  /** For programs: what is missing, when something is. */
  readonly code?: string;
  /** The approval that is waited for. */
  readonly approval?: string;
  /** Which part of the budget ended it. */
  readonly exhausted?: keyof Budget;
  readonly usage: RunUsage;
}
