import type { Failure } from "@skillwright/core";
import { AuditError } from "@skillwright/runtime";
import { applyPlan, firstPlan } from "../actions/plan.ts";
import { type ReadCall, readTurn, type Said } from "../actions/read-turn.ts";
import type { AgentTools, Observation } from "../acts/observation.ts";
import { buildRequest, requestDigest, trimPoint } from "../context/build-request.ts";
import { contextTokens, shortened } from "../context/fit-entries.ts";
import type {
  ActionEnded,
  AgentEvent,
  ActionRejected,
  ModelResponded,
  RunEnd,
  RunStatus,
} from "../events/run-event.ts";
import type { Model, ModelResponse } from "../models/model.ts";
import { type Conversation, conversationOf } from "../runs/conversation.ts";
import { askModel, AnswerStream, priceProblem } from "./ask-model.ts";
import { type Declined, nextStep, type Step } from "./next-step.ts";
import { actionKey, HELD_CHANGES, type PendingCall, type RunState, saidKey } from "./run-state.ts";

/** A child was stopped where it can go on, so the call that it belongs to has no result yet. */
export class StepStopped extends Error {}

/** What the loop drives: a run with effects, or a replay of its record. */
export interface DrivenRun {
  readonly id: string;
  /** With exact texts. */
  readonly state: RunState;
  /** Folded from the record alone; digests are of this one, so that a replay can compare them. */
  readonly recordedState: RunState;
  readonly model: Model;
  readonly tools: AgentTools;
  readonly signal: AbortSignal;
  /** Ends the run when the current step is done. */
  readonly stop?: AbortSignal | undefined;
  /** Folds the event at once; the next `flush` writes it. */
  record(event: AgentEvent): void;
  flush(): Promise<void>;
  /** Receives the text of an answer while it streams. */
  showText(text: string): void;
  checkAnswer(answer: string): Promise<AnswerCheck>;
  perform(call: PendingCall, signal: AbortSignal): Promise<Observation>;
  /** Milliseconds that the run has taken, without those in which it was stopped. */
  elapsed(): number;
  /** Aborts when the time is used up, or a person cancels. */
  deadline(): AbortSignal;
  /** What the model reads of a result; a longer whole is kept with the run. */
  shorten(call: PendingCall, observation: Observation): ObservedPart;
  ended(end: RunEnd): Promise<void>;
  close(): Promise<void> | void;
  /** What a replay takes from the record instead of computing it. */
  readonly recorded?: {
    /** The calls of a turn of which redaction changed something. */
    calls(read: readonly ReadCall[]): readonly ReadCall[];
    trimPoint(): number | undefined;
  };
}

export type ObservedPart = Pick<ActionEnded, "observation" | "images" | "output">;

export type AnswerCheck =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly problem: string };

type EndOf<Status extends RunStatus, Required extends keyof RunEnd = never> = RunEnd & {
  readonly status: Status;
} & { readonly [Name in Required]-?: NonNullable<RunEnd[Name]> };

/** How a run ended. `answer` is the model's, or what was achieved so far. */
export type RunResult = {
  readonly runId: string;
  /** Names of the skills that are active at the end. */
  readonly skills: readonly string[];
  readonly steps: number;
  /** To continue with another request, in this process with exact texts. */
  readonly conversation: Conversation;
} & (
  | EndOf<"answered">
  | EndOf<"needs_approval", "approval" | "hint">
  | EndOf<"budget_exhausted", "exhausted" | "reason">
  | EndOf<"failed" | "denied" | "invalid_output" | "model_failed" | "canceled" | "error", "reason">
);

const MAX_SAME_TURNS = 3;
/** A record takes no more, and what it cuts must not be acted on. */
const MAX_RESPONSE_LENGTH = 100_000;

/**
 * Drives a run to its end: decide, act, observe, and again. Every end is a value; an exception is a
 * bug or a record that cannot be written.
 */
export async function driveRun(run: DrivenRun): Promise<RunResult> {
  try {
    while (run.state.end === undefined) {
      const isStopped = run.stop?.aborted === true;
      const { aborted, reason } = run.signal;
      const blocked = aborted ? failureOf(reason) : undefined;
      await performStep(nextStep(run.state, aborted, { isStopped, blocked }), run);
      await run.flush();
    }
    const { end, active, steps } = run.state;
    await run.ended(end);
    const skills = active.map(({ name }) => name);
    const conversation = conversationOf(run.state);
    return { ...end, runId: run.id, skills, steps: steps.length, conversation } as RunResult;
  } finally {
    await run.close();
  }
}

/** A host that cancels with a failure says what is missing. */
function failureOf(reason: unknown): Failure | undefined {
  const { ok, code, message } = Object(reason) as Partial<Failure>;
  const isFailure = ok === false && typeof code === "string" && typeof message === "string";
  return isFailure ? (reason as Failure) : undefined;
}

function performStep(step: Step, run: DrivenRun): Promise<void> | void {
  switch (step.step) {
    case "decide":
      return decide(step.mustAnswer, run);
    case "read":
      return read(step.response, step.from, run);
    case "act":
      return act(step.calls, run);
    case "end":
      return end(step.end, run);
    case "decline":
      return observe(step.call, { ok: false, code: step.code, text: DECLINED[step.code] }, run);
  }
}

const DECLINED: Readonly<Record<Declined, string>> = {
  interrupted:
    "This had begun when the run was cut off, and was not repeated. It may or may not have had its effect: check before you do it again.",
  "left-out":
    "This was not done: the run was cut off before it, and its record leaves out a part of it as [redacted]. Make the call again, in full.",
  "answer-declined":
    "Not accepted yet: another call of this turn failed. Look at its result, then answer.",
};

async function decide(mustAnswer: boolean, run: DrivenRun): Promise<void> {
  const { model, tools } = run;
  const problem = priceProblem(model, run.state.budget);
  if (problem !== undefined && run.state.usage.turns === 0) {
    const { message: reason, hint } = problem;
    return end({ status: "error", answer: "", reason, ...(hint !== undefined && { hint }) }, run);
  }
  const options = { tools, model, mustAnswer };
  const before = run.recorded ? run.recorded.trimPoint() : trimPoint(run.state, options);
  if (before !== undefined) trim(before, run);
  const { state, recordedState } = run;
  const built = buildRequest(state, options);
  const { request } = built;
  // What the record says of the request follows from the record alone.
  const recorded = state === recordedState ? built : buildRequest(recordedState, options);
  const { tokens, dropped, droppedSkills } = recorded;
  const lost = droppedSkills.length > 0 ? { droppedSkills } : undefined;
  const turn = state.usage.turns + 1;
  const digest = requestDigest(recorded.request);
  run.record({
    event: "model-request",
    data: { turn, digest, tokens, dropped, ...lost, mustAnswer },
  });
  await run.flush();
  const stream = new AnswerStream(model.protocol, (text) => run.showText(text));
  const response = await askModel(model, request, {
    budget: state.budget,
    signal: run.deadline(),
    onText: (text) => stream.addText(text),
    onCallText: (fragment) => stream.addCall(fragment),
  });
  const { usage, latencyMs } = response;
  const elapsedMs = run.elapsed();
  run.record({
    event: "model-response",
    data: { turn, ...said(response), usage, latencyMs, elapsedMs },
  });
}

function trim(before: number, run: DrivenRun): void {
  const { entries } = run.recordedState;
  const after = entries.map((entry, i) => (i < before ? shortened(entry) : entry));
  const data = { before, tokensBefore: contextTokens(entries), tokens: contextTokens(after) };
  run.record({ event: "context-trim", data });
}

function said(response: ModelResponse) {
  if (!response.ok) return { text: "", calls: [], error: response.error };
  const { finish, message } = response;
  const { text, calls, reasoning } = message;
  const length = text.length + JSON.stringify(calls).length;
  // Not a part of it: half of a secret would not be recognised as one.
  if (length > MAX_RESPONSE_LENGTH) return { text: "", calls: [], finish, tooLong: length };
  return { text, calls, ...(reasoning && reasoning.length > 0 && { reasoning }), finish };
}

/** Reads what the model said: each call is decided or rejected by itself. */
async function read(response: ModelResponded, from: number, run: DrivenRun): Promise<void> {
  const { turn, redacted } = response;
  const said = readSaid(response, run);
  const calls = (redacted && run.recorded ? run.recorded.calls(said) : said).slice(from);
  const isRepeated = isThirdTime(calls, run);
  // A record may show the same where something different was left out.
  const isRejected = !(redacted && run.recorded) && isThirdRejection(said, response, run);
  // Read from the record alone, its calls may lack what the record leaves out.
  const lost = redacted && run.state.isForgotten ? { redacted } : undefined;
  for (const [i, one] of calls.entries()) {
    const { callId } = one;
    const place = { turn, call: from + i, ...(callId !== undefined && { callId }) };
    const isAgain = isRejected && !one.ok && one.unparsed !== true;
    const problem = isAgain
      ? ({ problem: REPEATED, unparsed: true } as const)
      : await problemOf(one, response, isRepeated, run);
    if (problem !== undefined || !one.ok) {
      run.record({ event: "action-reject", data: { ...place, problem: "", ...problem } });
      continue;
    }
    const { action } = one;
    run.record({ event: "action-decide", data: { ...place, action, ...lost } });
    const { plan, start } = run.state;
    const current = plan ?? firstPlan(start?.normalizedRequest ?? "");
    const next = action.plan_update ? applyPlan(plan, action.plan_update) : current;
    if (next !== plan) run.record({ event: "plan-update", data: { turn, plan: next } });
  }
}

/** The calls in what a model said, read with the tools and active skills of a run. */
function readSaid(
  said: Said,
  { tools: { tools, canRun, noSkills, answer }, model, state }: DrivenRun,
): ReadCall[] {
  const names = tools.map(({ name }) => name);
  const active = state.active.map(({ name, source }) => `${name}@${source}`);
  const { protocol } = model;
  const schemaOf = (name: string) => tools.find((one) => one.name === name)?.inputSchema;
  const offered = { tools: names, schemaOf, canRun, noSkills, ...(answer && { answer }) };
  return readTurn(said, { ...offered, protocol, active });
}

const REPEATED =
  "These are the same calls for the third time in a row, so they were not made. Do something else, or answer.";
const SECOND_ANSWER = "A turn can have only one answer. Give all of it in one.";
const LAST_TURN = "Not done: this was the last turn of the budget, and only an answer counts.";

function isThirdTime(calls: readonly ReadCall[], { state }: DrivenRun): boolean {
  const { actions, times } = state.repeated;
  if (times < MAX_SAME_TURNS - 1 || !calls.every(({ ok }) => ok)) return false;
  return actions === calls.map((one) => (one.ok ? actionKey(one.action) : "")).join();
}

/** Whether nothing of this turn can be used, as of the same turn twice before. */
function isThirdRejection(
  calls: readonly ReadCall[],
  response: ModelResponded,
  { state: { rejected } }: DrivenRun,
): boolean {
  const isSame = rejected.said === saidKey(response) && rejected.times >= MAX_SAME_TURNS - 1;
  return isSame && calls.every(({ ok }) => !ok);
}

/** Why a call is rejected. */
async function problemOf(
  one: ReadCall,
  { tooLong }: ModelResponded,
  isRepeated: boolean,
  run: DrivenRun,
): Promise<Pick<ActionRejected, "problem" | "unparsed"> | undefined> {
  if (tooLong !== undefined) {
    const problem = `This answer has ${tooLong} characters; at most ${MAX_RESPONSE_LENGTH} are read. Do it in smaller parts.`;
    return { problem, unparsed: true };
  }
  if (isRepeated) return { problem: REPEATED };
  if (!one.ok) return { problem: one.problem, ...(one.unparsed && { unparsed: true }) };
  if (one.action.action !== "final_answer") {
    return run.state.mustAnswer ? { problem: LAST_TURN } : undefined;
  }
  if (run.state.pending.some(({ action }) => action.action === "final_answer")) {
    return { problem: SECOND_ANSWER };
  }
  const check = await run.checkAnswer(one.action.answer);
  return check.ok ? undefined : { problem: check.problem, unparsed: true };
}

/** One act, or several reads side by side; their results are recorded in the order of the calls. */
async function act(calls: readonly PendingCall[], run: DrivenRun): Promise<void> {
  await run.flush();
  const deadline = run.deadline();
  const results = await Promise.allSettled(calls.map((call) => performUntil(deadline, call, run)));
  for (const [i, result] of results.entries()) {
    if (result.status === "rejected") throw result.reason;
    const { value } = result;
    // A call that waits for a person stays pending; so does one that was canceled.
    const isWaiting =
      run.state.waitingFor !== undefined &&
      (calls.length === 1 || value?.code === "approval-needed");
    if (value === undefined || isWaiting) continue;
    const call = calls[i] as PendingCall;
    observe(call, run.signal.aborted ? afterCancel(call, value) : value, run);
  }
}

const CANCELED =
  "Canceled by the person before it ended; it may have had a part of its effect. Run it again if it is still wanted.";

/** It did not fail: it was stopped. */
function afterCancel({ action: { action } }: PendingCall, observation: Observation): Observation {
  const isCut = !observation.ok && (action === "run_script" || action === "use_tool");
  if (!isCut) return observation;
  return { ok: false, code: "canceled", text: `${CANCELED}\n\n${observation.text}` };
}

/** Undefined when it was canceled before it had a result. */
async function performUntil(
  deadline: AbortSignal,
  call: PendingCall,
  run: DrivenRun,
): Promise<Observation | undefined> {
  try {
    return await run.perform(call, deadline);
  } catch (error) {
    if (error instanceof StepStopped) return undefined;
    if (!deadline.aborted || AuditError.isInstance(error)) throw error;
    return run.signal.aborted ? undefined : OUT_OF_TIME;
  }
}

const OUT_OF_TIME: Observation = {
  ok: false,
  code: "timed-out",
  text: "The time of the run was used up before this could be done.",
};

function observe(pending: PendingCall, observation: Observation, run: DrivenRun): void {
  const { turn, call } = pending;
  const { ok, code } = observation;
  const outcome = { turn, call, ok, ...(code !== undefined && { code }) };
  const data = { ...outcome, ...run.shorten(pending, observation), elapsedMs: run.elapsed() };
  run.record({ event: "action-end", data });
}

async function end(given: Omit<RunEnd, "usage">, run: DrivenRun): Promise<void> {
  const { plan, start, usage } = run.state;
  // One that waits for its changes alone is answered once they are decided.
  const isAnswered = given.status === "answered" || given.approval === HELD_CHANGES;
  const [step] = plan?.steps ?? [];
  // A plan of one step that the model never touched is done when the request is answered.
  const isOurs =
    plan?.steps.length === 1 && plan.goal === firstPlan(start?.normalizedRequest ?? "").goal;
  if (isAnswered && isOurs && step !== undefined && step.status !== "completed") {
    const steps = [{ ...step, status: "completed" as const }];
    run.record({ event: "plan-update", data: { turn: usage.turns, plan: { ...plan, steps } } });
  }
  const check = isAnswered ? await run.checkAnswer(given.answer) : undefined;
  const output = check?.ok === true ? { output: check.output } : undefined;
  run.record({ event: "run-end", data: { ...given, ...output, usage: run.state.usage } });
}
