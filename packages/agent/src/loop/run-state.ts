import type { Action } from "../actions/action.ts";
import { canonicalJson } from "../canonical-json.ts";
import type { Plan } from "../actions/plan.ts";
import { type Budget, NO_BUDGET } from "../budget/budget.ts";
import type {
  ActionDecided,
  ChildEnd,
  ModelResponded,
  RunEnd,
  RunStart,
  SkillActivated,
} from "../events/agent-event.ts";
import { type RunUsage, NO_USAGE } from "../budget/run-usage.ts";
import type { ModelMessage, ViewedStep } from "../models/model.ts";

/** A run as plain data. It is what its events make it, so that it can always be made again. */
export interface RunState {
  /** Undefined until the skills are indexed. */
  readonly start?: RunStart;
  readonly budget: Budget;
  /** The budget as it was given; a plan may have bound itself to less. */
  readonly givenBudget: Budget;
  readonly usage: RunUsage;
  readonly plan?: Plan;
  readonly entries: readonly ContextEntry[];
  readonly active: readonly SkillActivated[];
  /** Ids of skills that were dropped and have not come back. */
  readonly gone: readonly string[];
  /** Ids of active skills whose instructions the model was not sent for want of room. */
  readonly dropped: readonly string[];
  readonly steps: readonly ViewedStep[];
  /** The model is being asked. */
  readonly isAsked: boolean;
  /** The model was told in this turn that only an answer is accepted. */
  readonly mustAnswer: boolean;
  /** The part of the given budget that left nothing but an answer; undefined where a plan chose so. */
  readonly forcedBy?: keyof Budget | undefined;
  /** What the model said and nobody has understood yet. */
  readonly unread?: ModelResponded;
  /** What was decided and not done yet. */
  readonly pending?: ActionDecided;
  /** Who heard what is unread or pending is gone: nobody knows more of it than the record. */
  readonly isForgotten: boolean;
  /** Something of the pending action has begun, so that it must not begin again. */
  readonly hasBegun: boolean;
  /** The child that the pending action started. */
  readonly child?: string;
  /** Those that it started and that have ended. */
  readonly children: readonly ChildEnd[];
  /** The request for an approval that nobody was there to give. */
  readonly waitingFor?: string;
  /** What goes on with it, as whoever asked for it says. */
  readonly resumeCommand?: string;
  /** Actions a person refused, in canonical form. */
  readonly refused: readonly string[];
  /** Something was refused, and nothing was achieved since. */
  readonly isRefused: boolean;
  /** Answers in a row that could not be used. */
  readonly repairs: number;
  readonly repeated: { readonly action: string; readonly times: number };
  readonly end?: RunEnd;
}

/** A message of the conversation, and what may happen to it when room gets short. */
export interface ContextEntry {
  readonly message: ModelMessage;
  readonly kind: "history" | "request" | "decision" | "observation" | "skill";
  /** The same with less, for when room gets short. */
  readonly brief?: ModelMessage;
  /** Id of the skill whose instructions these are. */
  readonly skill?: string;
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
  isForgotten: false,
  hasBegun: false,
  children: [],
  refused: [],
  isRefused: false,
  repairs: 0,
  repeated: { action: "", times: 0 },
};

/** Two decisions to do the same have the same text, whatever else is said of the plan. */
export function actionKey(action: Action): string {
  const isPlan = action.action === "update_plan";
  return canonicalJson(isPlan ? action : { ...action, plan_update: undefined });
}
