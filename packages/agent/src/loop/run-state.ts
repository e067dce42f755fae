import { plural } from "@skillwright/core/internal";
import { canonicalJson } from "../actions/read-json.ts";
import type { Action } from "../actions/action.ts";
import type { Plan } from "../actions/plan.ts";
import { type Budget, fullBudget, NO_USAGE, type RunUsage } from "./budget.ts";
import type {
  ActionDecided,
  ChildEnd,
  ContextEntry,
  ModelResponded,
  RunEnd,
  RunStart,
  SkillActivated,
  SkillRouted,
} from "../events/run-event.ts";
import type { ViewedStep } from "../models/model.ts";

/** What a run waits for that has changes of scripts to decide on, in place of the id of a request. */
export const HELD_CHANGES = "changes";

/** Why a run waits that was answered. */
export function heldReason(count: number): string {
  return `${plural(count, "change")} of scripts ${count === 1 ? "is" : "are"} held until you decide`;
}

/** A run as plain data: a fold of its events. */
export interface RunState {
  readonly start?: RunStart;
  readonly budget: Budget;
  /** The budget as given; a plan may have limited itself to less. */
  readonly givenBudget: Budget;
  readonly usage: RunUsage;
  readonly plan?: Plan;
  readonly entries: readonly ContextEntry[];
  /** How the request was matched with the catalog. */
  readonly route?: SkillRouted;
  readonly active: readonly SkillActivated[];
  /** Ids of skills that were dropped and have not come back. */
  readonly gone: readonly string[];
  /** Ids of active skills whose instructions did not fit into the last request. */
  readonly dropped: readonly string[];
  readonly steps: readonly ViewedStep[];
  readonly isAsked: boolean;
  /** In this turn only an answer is accepted. */
  readonly mustAnswer: boolean;
  /** The part of the given budget that forced an answer; undefined where the model's plan did. */
  readonly forcedBy?: keyof Budget | undefined;
  /** The response whose calls are being read or carried out. */
  readonly response?: ModelResponded | undefined;
  /** How many of its calls were read. */
  readonly readCalls: number;
  /** Calls without a result yet, in their order. */
  readonly pending: readonly PendingCall[];
  /** Results of the turn, until all are there. */
  readonly results: readonly CallResult[];
  /** Instructions that this turn brought; they follow its results. */
  readonly arrived: readonly ContextEntry[];
  /** The process that received the response is gone, so only its record is known. */
  readonly isForgotten: boolean;
  /** The child that a pending call started. */
  readonly child?: string | undefined;
  /** Children of that call that have ended. */
  readonly children: readonly ChildEnd[];
  /** The approval request that waits for a person. */
  readonly waitingFor?: string | undefined;
  /** The command that continues the run, as the approver gave it. */
  readonly resumeCommand?: string | undefined;
  /** Names of known secrets that the model has read, earlier in the conversation or in child runs too. */
  readonly secretNames: readonly string[];
  /** How many changes of scripts are held until a person decides. */
  readonly heldChanges: number;
  /** The same of child runs that have ended. */
  readonly heldByChildren: number;
  /** Actions that a person refused, in canonical form. */
  readonly refused: readonly string[];
  /** Something was refused, and nothing was achieved since. */
  readonly isRefused: boolean;
  /** A script ran and failed. */
  readonly hasFailed: boolean;
  /** A script, a command or another act succeeded. */
  readonly hasAchieved: boolean;
  /** Answers in a row that could not be read. */
  readonly repairs: number;
  /** The last turn of which nothing could be used, and how often in a row. */
  readonly rejected: { readonly said: string; readonly times: number };
  readonly repeated: { readonly actions: string; readonly times: number };
  readonly end?: RunEnd | undefined;
}

export interface PendingCall extends ActionDecided {
  /** Something of it has begun, so that it must not begin again. */
  readonly hasBegun?: true;
  /** A person refused something of it. */
  readonly wasRefused?: true;
}

interface CallResult {
  readonly call: number;
  readonly ok: boolean;
  readonly entry: ContextEntry;
}

export const EMPTY_STATE: RunState = {
  budget: fullBudget(),
  givenBudget: fullBudget(),
  usage: NO_USAGE,
  entries: [],
  active: [],
  gone: [],
  dropped: [],
  steps: [],
  isAsked: false,
  mustAnswer: false,
  readCalls: 0,
  pending: [],
  results: [],
  arrived: [],
  isForgotten: false,
  children: [],
  refused: [],
  isRefused: false,
  hasFailed: false,
  hasAchieved: false,
  secretNames: [],
  heldChanges: 0,
  heldByChildren: 0,
  repairs: 0,
  rejected: { said: "", times: 0 },
  repeated: { actions: "", times: 0 },
};

/** The same for decisions to do the same, whatever their plan updates. */
export function actionKey(action: Action): string {
  const isPlan = action.action === "update_plan";
  return canonicalJson(isPlan ? action : { ...action, plan_update: undefined });
}

/** The same for turns in which a model says the same. */
export function saidKey({ text, calls }: Pick<ModelResponded, "text" | "calls">): string {
  return canonicalJson(calls.length > 0 ? calls.map(({ name, input }) => [name, input]) : text);
}

/** Tools without effects: several run side by side, and one that was cut off is run again. */
const READ_TOOLS: ReadonlySet<string> = new Set([
  "read_file",
  "list_directory",
  "search_files",
  "search_skills",
]);

export function isReading(action: Action): boolean {
  if (action.action === "use_tool") return READ_TOOLS.has(action.tool);
  return action.action === "load_resource";
}

/** Whether it does something beyond the conversation. */
export function isActing({ action }: Action): boolean {
  return action === "run_script" || action === "use_tool" || action === "load_resource";
}
