import type { Failure } from "@skillwright/core";
import { truncate } from "@skillwright/core/internal";
import type { Action, ActionOf } from "../actions/action.ts";
import { type Budget, describePart, nearEnd, usedUp } from "./budget.ts";
import type { ModelResponded, RunEnd } from "../events/run-event.ts";
import type { ModelError } from "../models/model.ts";
import { callCount } from "./apply-event.ts";
import {
  actionKey,
  HELD_CHANGES,
  heldReason,
  isActing,
  isReading,
  type PendingCall,
  type RunState,
} from "./run-state.ts";

export type Step =
  /** Ask the model. */
  | { readonly step: "decide"; readonly mustAnswer: boolean }
  /** Read the calls of its response from `from` on. */
  | { readonly step: "read"; readonly response: ModelResponded; readonly from: number }
  /** Carry out one call, or several reads side by side. */
  | { readonly step: "act"; readonly calls: readonly PendingCall[] }
  | { readonly step: "decline"; readonly call: PendingCall; readonly code: Declined }
  | { readonly step: "end"; readonly end: Omit<RunEnd, "usage"> };

/**
 * Why a call is not made, or an answer not accepted:
 * - `interrupted`: it had begun when the process ended.
 * - `left-out`: the record leaves out a part of it, and there is no exact copy.
 * - `answer-declined`: another call of its turn failed.
 */
export type Declined = "interrupted" | "left-out" | "answer-declined";

interface StepOptions {
  /** A person wants it to end after the current step. */
  readonly isStopped?: boolean;
  /** What is missing, when that is why it was canceled. */
  readonly blocked?: Failure | undefined;
}

const MAX_REPAIRS = 3;
/** Why a run ended that could finish its last step. */
export const STOPPED = "it was stopped";

/** Pure: what has to be done next. */
export function nextStep(
  state: RunState,
  isCanceled: boolean,
  { isStopped = false, blocked }: StepOptions = {},
): Step {
  const { response, readCalls, waitingFor, budget, usage } = state;
  const answer = answerOf(state);
  if (answer !== undefined) return answer;
  if (isCanceled) return canceled(state, blocked);
  if (waitingFor !== undefined) return needsApproval(state, waitingFor);
  if (response?.error !== undefined) return afterModelError(state, response.error);
  if (response !== undefined && readCalls < callCount(response)) {
    return { step: "read", response, from: readCalls };
  }
  // A child that was stopped goes on with its parent, and not before.
  if (isStopped && (state.pending.length === 0 || state.child !== undefined)) {
    return end(state, "canceled", STOPPED);
  }
  const pending = nextCalls(state);
  if (pending !== undefined) return pending;
  if (state.repairs > MAX_REPAIRS) {
    return end(state, "invalid_output", `${state.repairs} answers in a row could not be read`);
  }
  const gone = usedUp(budget, usage);
  if (gone !== undefined) return outOf(state, gone, "is used up");
  const near = nearEnd(budget, usage);
  // There is one turn to answer in, and this was it.
  if (near !== undefined && state.mustAnswer) {
    return outOf(state, near, "is nearly used up, and there was no answer");
  }
  return { step: "decide", mustAnswer: near !== undefined };
}

/** An answer counts once everything else of its turn is done. */
function answerOf(state: RunState): Step | undefined {
  const { pending, response, readCalls, results } = state;
  const [call] = pending;
  if (call?.action.action !== "final_answer" || pending.length > 1) return undefined;
  if (response !== undefined && readCalls < callCount(response)) return undefined;
  if (results.some(({ ok }) => !ok)) return decline(call, "answer-declined");
  return answered(state, call.action);
}

/** Acts one after the other in the order of the turn; reads next to each other side by side. */
function nextCalls(state: RunState): Step | undefined {
  const calls = state.pending.filter(({ action }) => action.action !== "final_answer");
  const [call] = calls;
  if (call === undefined) return undefined;
  if (state.refused.length > 0 && state.refused.includes(actionKey(call.action))) {
    return end(state, "denied", "it was refused before");
  }
  if (call.redacted === true && state.isForgotten) return decline(call, "left-out");
  if (!isReading(call.action)) {
    return call.hasBegun ? decline(call, "interrupted") : { step: "act", calls: [call] };
  }
  const isReadable = (one: PendingCall) =>
    isReading(one.action) && !(one.redacted === true && state.isForgotten);
  const stop = calls.findIndex((one) => !isReadable(one));
  return { step: "act", calls: stop === -1 ? calls : calls.slice(0, stop) };
}

function decline(call: PendingCall, code: Declined): Step {
  return { step: "decline", call, code };
}

/** An answer may claim what was refused, failed, or had no room in the budget. */
function answered(state: RunState, { answer }: ActionOf<"final_answer">): Step {
  const { isRefused, hasFailed, hasAchieved, forcedBy, givenBudget } = state;
  if (isRefused) {
    return end(state, "denied", "an approval was refused", { answer, isAnswer: true });
  }
  if (forcedBy !== undefined) {
    const reason = `the budget of ${describePart(givenBudget, forcedBy)} left nothing but to answer`;
    const more = { answer, isAnswer: true, exhausted: forcedBy } as const;
    return end(state, "budget_exhausted", reason, more);
  }
  if (hasFailed && !hasAchieved) {
    const reason = "every script that ran failed";
    return end(state, "failed", reason, { answer, isAnswer: true });
  }
  const { start } = state;
  const heldChanges = state.heldChanges + state.heldByChildren;
  if (heldChanges > 0 && start?.parent !== undefined) {
    return { step: "end", end: { status: "answered", answer, heldChanges } };
  }
  if (heldChanges > 0) {
    const hint = `skillwright runs changes ${start?.runId ?? ""}`;
    const held = { answer, isAnswer: true, hint, approval: HELD_CHANGES } as const;
    return end(state, "needs_approval", heldReason(heldChanges), held);
  }
  return { step: "end", end: { status: "answered", answer } };
}

function canceled(state: RunState, blocked: Failure | undefined): Step {
  if (blocked === undefined) return end(state, "canceled", "it was canceled");
  const { code, message, hint } = blocked;
  return end(state, "error", message, { ...(hint !== undefined && { hint }), code });
}

function afterModelError(state: RunState, { code, message, hint }: ModelError): Step {
  // No person canceled it, so the time of the run is over.
  if (code === "canceled") return outOf(state, "timeMs", "is used up");
  return end(state, "model_failed", message, hint === undefined ? {} : { hint });
}

function outOf(state: RunState, exhausted: keyof Budget, how: string): Step {
  const reason = `the budget of ${describePart(state.budget, exhausted)} ${how}`;
  return end(state, "budget_exhausted", reason, { exhausted });
}

function needsApproval(state: RunState, approval: string): Step {
  const { resumeCommand: hint } = state;
  const more = { approval, ...(hint !== undefined && { hint }) };
  return end(state, "needs_approval", "an approval is needed", more);
}

function end(
  state: RunState,
  status: RunEnd["status"],
  reason: string,
  more: Partial<RunEnd> = {},
): Step {
  const heldChanges = state.heldChanges + state.heldByChildren;
  const held = heldChanges > 0 && { heldChanges };
  return { step: "end", end: { status, answer: achieved(state), reason, ...held, ...more } };
}

/** What a run without an answer has to show. */
function achieved({ plan, steps, active }: RunState): string {
  const done = plan?.steps.filter(({ status }) => status === "completed") ?? [];
  // What was read achieves nothing, and may be private.
  const isWork = (action: Action) => isActing(action) && !isReading(action);
  const last = steps.findLast(({ ok, action }) => ok && isWork(action as Action));
  const [line = "", ...others] = last?.observation.split("\n") ?? [];
  const result = truncate(others.length === 0 ? line : `${line} …`, 200);
  const parts = [
    active.length === 0 ? "" : `Skills used: ${active.map(({ name }) => name).join(", ")}.`,
    done.length === 0 ? "" : `Done: ${done.map(({ title }) => title).join("; ")}.`,
    last === undefined ? "" : `Last result: ${result}`,
  ];
  return parts.filter((part) => part !== "").join("\n");
}
