import type { Failure } from "@skillwright/core";
import type { Action } from "../actions/action.ts";
import type { ActionDecided, ModelResponded, RunEnd } from "../events/agent-event.ts";
import { type Budget, describePart, nearEnd, usedUp } from "../budget/budget.ts";
import { actionKey, type RunState } from "./run-state.ts";

/** What has to be done next. */
export type Step =
  /** Ask the model. */
  | { readonly step: "decide"; readonly mustAnswer: boolean }
  /** Understand what it said. */
  | { readonly step: "read"; readonly response: ModelResponded }
  /** Do what it decided. */
  | { readonly step: "act"; readonly decided: ActionDecided }
  /** Nobody knows how far it came, so it is not done again. */
  | { readonly step: "interrupt"; readonly decided: ActionDecided }
  /** Nobody knows any more what exactly it was, so something else would be done. */
  | { readonly step: "leave"; readonly decided: ActionDecided }
  | { readonly step: "end"; readonly end: Omit<RunEnd, "usage"> };

interface StepOptions {
  /** Somebody wants it to end after what it is doing. */
  readonly isStopped?: boolean;
  /** What is missing, when that is why it was canceled. */
  readonly blocked?: Failure | undefined;
}

const MAX_REPAIRS = 3;
/** Why a run ended whose last step was let come to its end. */
export const STOPPED = "it was stopped";

/** Pure: the way from Decide over Act and Observe back to Decide, until there is an end. */
export function nextStep(
  state: RunState,
  isCanceled: boolean,
  { isStopped = false, blocked }: StepOptions = {},
): Step {
  const { unread, pending, hasBegun, waitingFor, budget, usage } = state;
  if (pending?.action.action === "final_answer") return answered(state, pending.action);
  if (isCanceled && blocked !== undefined) return { step: "end", end: blockedEnd(state, blocked) };
  if (isCanceled) return end(state, "canceled", "it was canceled");
  if (waitingFor !== undefined) return { step: "end", end: needsApproval(state, waitingFor) };
  if (unread?.error !== undefined) return afterModelError(state, unread);
  if (unread !== undefined) return { step: "read", response: unread };
  // A child that was stopped goes on with its parent, and not before.
  if (isStopped && (pending === undefined || state.child !== undefined)) {
    return end(state, "canceled", STOPPED);
  }
  if (pending !== undefined) {
    if (state.refused.length > 0 && state.refused.includes(actionKey(pending.action))) {
      return end(state, "denied", "it was refused before");
    }
    if (hasBegun) return { step: "interrupt", decided: pending };
    const isLost = pending.redacted === true && state.isForgotten;
    return { step: isLost ? "leave" : "act", decided: pending };
  }
  if (state.repairs > MAX_REPAIRS) {
    return end(state, "invalid_output", `${state.repairs} answers in a row could not be used`);
  }
  const gone = usedUp(budget, usage);
  if (gone !== undefined) return outOf(state, gone);
  const near = nearEnd(budget, usage);
  // There is one turn to answer in, and this was it.
  if (near !== undefined && state.mustAnswer) {
    const reason = `the budget of ${describePart(budget, near)} is nearly used up, and there was no answer`;
    return exhausted(state, near, reason);
  }
  return { step: "decide", mustAnswer: near !== undefined };
}

/** What was refused or had no room was not done, whatever the answer says of it. */
function answered(
  { isRefused, forcedBy, givenBudget }: RunState,
  { answer }: Extract<Action, { action: "final_answer" }>,
): Step {
  const given = { answer, isAnswer: true } as const;
  if (isRefused) {
    return { step: "end", end: { status: "denied", ...given, reason: "an approval was refused" } };
  }
  if (forcedBy === undefined) return { step: "end", end: { status: "answered", answer } };
  const reason = `the budget of ${describePart(givenBudget, forcedBy)} left nothing but to answer`;
  const status = "budget_exhausted";
  return { step: "end", end: { status, ...given, reason, exhausted: forcedBy } };
}

function blockedEnd(state: RunState, { code, message, hint }: Failure): Omit<RunEnd, "usage"> {
  const answer = achieved(state);
  const advice = hint === undefined ? undefined : { hint };
  return { status: "error", answer, reason: message, ...advice, code };
}

function afterModelError(state: RunState, { error }: ModelResponded): Step {
  // Nobody canceled it: what ends a call beside that is the time of the run.
  if (error?.code === "canceled") {
    return outOf(state, "timeMs");
  }
  return end(state, "model_failed", error?.message ?? "the model failed", error?.hint);
}

function outOf(state: RunState, part: keyof Budget): Step {
  return exhausted(state, part, `the budget of ${describePart(state.budget, part)} is used up`);
}

function exhausted(state: RunState, part: keyof Budget, reason: string): Step {
  const answer = achieved(state);
  return { step: "end", end: { status: "budget_exhausted", answer, reason, exhausted: part } };
}

const NOT_KEPT =
  "an approval is needed, which can only be given while the run goes on: what it is for holds something that the record leaves out";

function needsApproval(state: RunState, approval: string): Omit<RunEnd, "usage"> {
  const command = `skillwright runs resume ${state.start?.runId ?? ""} --approve ${approval}`;
  const answer = achieved(state);
  if (state.pending?.redacted === true) {
    const hint = `Approve it in a terminal: skillwright runs resume ${state.start?.runId ?? ""}`;
    return { status: "needs_approval", answer, reason: NOT_KEPT, hint, approval };
  }
  const hint = state.resumeCommand ?? command;
  return { status: "needs_approval", answer, reason: "an approval is needed", hint, approval };
}

function end(state: RunState, status: RunEnd["status"], reason: string, hint?: string): Step {
  const answer = achieved(state);
  return { step: "end", end: { status, answer, reason, ...(hint !== undefined && { hint }) } };
}

/** What a run that is not answered has to show for itself. */
function achieved({ plan, steps, active }: RunState): string {
  const done = plan?.steps.filter(({ status }) => status === "completed") ?? [];
  const last = steps.findLast(({ ok }) => ok);
  const parts = [
    active.length === 0 ? "" : `Skills used: ${active.map(({ name }) => name).join(", ")}.`,
    done.length === 0 ? "" : `Done: ${done.map(({ title }) => title).join("; ")}.`,
    last === undefined ? "" : `Last result: ${last.observation.slice(0, 500)}`,
  ];
  return parts.filter((part) => part !== "").join("\n");
}
