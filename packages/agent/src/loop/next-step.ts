import type { Failure } from "@skillwright/core";
import { truncate } from "@skillwright/core/internal";
import type { ActionOf } from "../actions/action.ts";
import { type Budget, describePart, nearEnd, usedUp } from "./budget.ts";
import type { ModelResponded, RunEnd } from "../events/run-event.ts";
import { callCount } from "./apply-event.ts";
import { actionKey, isReading, type PendingCall, type RunState } from "./run-state.ts";

/** What has to be done next. */
export type Step =
  /** Ask the model. */
  | { readonly step: "decide"; readonly mustAnswer: boolean }
  /** Understand the calls of its response from `from` on. */
  | { readonly step: "read"; readonly response: ModelResponded; readonly from: number }
  /** Carry out one call, or several reads side by side. */
  | { readonly step: "act"; readonly calls: readonly PendingCall[] }
  /** It had begun when the process ended, so it is not done again. */
  | { readonly step: "interrupt"; readonly call: PendingCall }
  /** The record leaves out a part of it, and no exact copy is left. */
  | { readonly step: "forget"; readonly call: PendingCall }
  /** Another call of the turn failed, so the answer that came with it is not accepted. */
  | { readonly step: "decline-answer"; readonly call: PendingCall }
  | { readonly step: "end"; readonly end: Omit<RunEnd, "usage"> };

interface StepOptions {
  /** A person wants it to end after the step that is under way. */
  readonly isStopped?: boolean;
  /** What is missing, when that is why it was canceled. */
  readonly blocked?: Failure | undefined;
}

const MAX_REPAIRS = 3;
/** Why a run ended whose last step was allowed to finish. */
export const STOPPED = "it was stopped";

/** Pure: from Decide over Act and Observe back to Decide, until there is an end. */
export function nextStep(
  state: RunState,
  isCanceled: boolean,
  { isStopped = false, blocked }: StepOptions = {},
): Step {
  const { response, readCalls, waitingFor, budget, usage } = state;
  const answer = answerOf(state);
  if (answer !== undefined) return answer;
  if (isCanceled && blocked !== undefined) return { step: "end", end: blockedEnd(state, blocked) };
  if (isCanceled) return end(state, "canceled", "it was canceled");
  if (waitingFor !== undefined) return { step: "end", end: needsApproval(state, waitingFor) };
  if (response?.error !== undefined) return afterModelError(state, response);
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
  if (gone !== undefined) return outOf(state, gone);
  const near = nearEnd(budget, usage);
  // There is one turn to answer in, and this was it.
  if (near !== undefined && state.mustAnswer) {
    const reason = `the budget of ${describePart(budget, near)} is nearly used up, and there was no answer`;
    return exhausted(state, near, reason);
  }
  return { step: "decide", mustAnswer: near !== undefined };
}

/** An answer counts once everything else of its turn is done. */
function answerOf(state: RunState): Step | undefined {
  const { pending, response, readCalls, results } = state;
  const [call] = pending;
  if (call?.action.action !== "final_answer" || pending.length > 1) return undefined;
  if (response !== undefined && readCalls < callCount(response)) return undefined;
  if (results.some(({ ok }) => !ok)) return { step: "decline-answer", call };
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
  if (call.redacted === true && state.isForgotten) return { step: "forget", call };
  if (!isReading(call.action)) {
    return call.hasBegun === true ? { step: "interrupt", call } : { step: "act", calls: [call] };
  }
  const isReadable = (one: PendingCall) =>
    isReading(one.action) && !(one.redacted === true && state.isForgotten);
  const stop = calls.findIndex((one) => !isReadable(one));
  return { step: "act", calls: stop === -1 ? calls : calls.slice(0, stop) };
}

/** What was refused, failed or had no room was not done, whatever the answer says of it. */
function answered(
  { isRefused, hasFailed, hasAchieved, forcedBy, givenBudget }: RunState,
  { answer }: ActionOf<"final_answer">,
): Step {
  const given = { answer, isAnswer: true } as const;
  if (isRefused) {
    return { step: "end", end: { status: "denied", ...given, reason: "an approval was refused" } };
  }
  if (forcedBy !== undefined) {
    const reason = `the budget of ${describePart(givenBudget, forcedBy)} left nothing but to answer`;
    const status = "budget_exhausted";
    return { step: "end", end: { status, ...given, reason, exhausted: forcedBy } };
  }
  if (hasFailed && !hasAchieved) {
    const reason = "every script and command that ran failed";
    return { step: "end", end: { status: "failed", ...given, reason } };
  }
  return { step: "end", end: { status: "answered", answer } };
}

function blockedEnd(state: RunState, { code, message, hint }: Failure): Omit<RunEnd, "usage"> {
  const answer = achieved(state);
  const advice = hint === undefined ? undefined : { hint };
  return { status: "error", answer, reason: message, ...advice, code };
}

function afterModelError(state: RunState, { error }: ModelResponded): Step {
  // No person canceled it, so the time of the run is over.
  if (error?.code === "canceled") return outOf(state, "timeMs");
  return end(state, "model_failed", error?.message ?? "the model failed", error?.hint);
}

function outOf(state: RunState, part: keyof Budget): Step {
  return exhausted(state, part, `the budget of ${describePart(state.budget, part)} is used up`);
}

function exhausted(state: RunState, part: keyof Budget, reason: string): Step {
  const answer = achieved(state);
  return { step: "end", end: { status: "budget_exhausted", answer, reason, exhausted: part } };
}

function needsApproval(state: RunState, approval: string): Omit<RunEnd, "usage"> {
  const { resumeCommand: hint } = state;
  const reason = "an approval is needed";
  const answer = achieved(state);
  return {
    status: "needs_approval",
    answer,
    reason,
    ...(hint !== undefined && { hint }),
    approval,
  };
}

function end(state: RunState, status: RunEnd["status"], reason: string, hint?: string): Step {
  const answer = achieved(state);
  return { step: "end", end: { status, answer, reason, ...(hint !== undefined && { hint }) } };
}

function firstLine(text: string): string {
  const [line = "", ...others] = text.split("\n");
  return truncate(others.length === 0 ? line : `${line} …`, 200);
}

/** What a run without an answer has to show. */
function achieved({ plan, steps, active }: RunState): string {
  const done = plan?.steps.filter(({ status }) => status === "completed") ?? [];
  const last = steps.findLast(({ ok }) => ok);
  const parts = [
    active.length === 0 ? "" : `Skills used: ${active.map(({ name }) => name).join(", ")}.`,
    done.length === 0 ? "" : `Done: ${done.map(({ title }) => title).join("; ")}.`,
    last === undefined ? "" : `Last result: ${firstLine(last.observation)}`,
  ];
  return parts.filter((part) => part !== "").join("\n");
}
