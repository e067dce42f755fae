import { canonicalJson } from "../canonical-json.ts";
import type { Action } from "../actions/action.ts";
import type { Plan } from "../actions/plan.ts";
import { type Budget, NO_BUDGET, NO_USAGE, type RunUsage } from "./budget.ts";
import type {
  ActionDecided,
  ChildEnd,
  ContextEntry,
  ModelResponded,
  RunEnd,
  RunStart,
  SkillActivated,
} from "../events/run-event.ts";
import type { ViewedStep } from "../models/model.ts";

/** A run as plain data. It is a fold of its events, so that it can always be made again. */
export interface RunState {
  /** Undefined until the skills are indexed. */
  readonly start?: RunStart;
  readonly budget: Budget;
  /** The budget as given; a plan may have limited itself to less. */
  readonly givenBudget: Budget;
  readonly usage: RunUsage;
  readonly plan?: Plan;
  readonly entries: readonly ContextEntry[];
  readonly active: readonly SkillActivated[];
  /** Ids of skills that were dropped and have not come back. */
  readonly gone: readonly string[];
  /** Ids of active skills whose instructions did not fit into the last request. */
  readonly dropped: readonly string[];
  readonly steps: readonly ViewedStep[];
  /** The model is being asked. */
  readonly isAsked: boolean;
  /** The model was told in this turn that only an answer is accepted. */
  readonly mustAnswer: boolean;
  /** The part of the given budget that left nothing but an answer; undefined where a plan chose so. */
  readonly forcedBy?: keyof Budget | undefined;
  /** The response whose calls are being read or carried out. */
  readonly response?: ModelResponded;
  /** How many of its calls were read. */
  readonly readCalls: number;
  /** Calls that were decided and have no result yet, in their order. */
  readonly pending: readonly PendingCall[];
  /** Results of the turn, until all are there. */
  readonly results: readonly CallResult[];
  /** Instructions that this turn brought; they follow its results. */
  readonly arrived: readonly ContextEntry[];
  /** The process that heard the response is gone: only the record is known of it. */
  readonly isForgotten: boolean;
  /** The child that a pending call started. */
  readonly child?: string;
  /** Those that it started and that have ended. */
  readonly children: readonly ChildEnd[];
  /** The approval request that is waiting for a person. */
  readonly waitingFor?: string;
  /** The command that continues the run, as the approver gave it. */
  readonly resumeCommand?: string;
  /** How many changes of scripts are held until a person decides. */
  readonly heldChanges: number;
  /** Actions that a person refused, in canonical form. */
  readonly refused: readonly string[];
  /** Something was refused, and nothing was achieved since. */
  readonly isRefused: boolean;
  /** A script or command ran and failed. */
  readonly hasFailed: boolean;
  /** A script, a command or another act succeeded. */
  readonly hasAchieved: boolean;
  /** Answers in a row that could not be read. */
  readonly repairs: number;
  readonly repeated: { readonly actions: string; readonly times: number };
  readonly end?: RunEnd;
}

export interface PendingCall extends ActionDecided {
  /** Something of it has begun, so that it must not begin again. */
  readonly hasBegun?: true;
}

interface CallResult {
  readonly call: number;
  readonly ok: boolean;
  readonly entry: ContextEntry;
}

export const EMPTY_STATE: RunState = {
  budget: NO_BUDGET,
  givenBudget: NO_BUDGET,
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
  heldChanges: 0,
  repairs: 0,
  repeated: { actions: "", times: 0 },
};

/** Two decisions to do the same have the same text, whatever else is said of the plan. */
export function actionKey(action: Action): string {
  const isPlan = action.action === "update_plan";
  return canonicalJson(isPlan ? action : { ...action, plan_update: undefined });
}

/** Tools that only look: several run side by side, and one that was cut off is simply run again. */
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
