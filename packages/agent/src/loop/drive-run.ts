import type { Failure } from "@skillwright/core";
import { AuditError } from "@skillwright/runtime";
import { applyPlan } from "../actions/apply-plan.ts";
import { readAction, type ReadOptions } from "../actions/read-action.ts";
import type { Observation } from "../acts/observation.ts";
import { buildRequest } from "../context/build-request.ts";
import { requestDigest } from "../context/request-digest.ts";
import type { ActionDecided, ModelResponded, RunEnd } from "../events/agent-event.ts";
import type { ModelResponse } from "../models/model.ts";
import type { DrivenRun } from "./driven-run.ts";
import { askWithin, priceProblem } from "../acts/ask-within.ts";
import { nextStep, type Step } from "./next-step.ts";
import { StepStopped } from "./step-stopped.ts";
import { actionKey } from "./run-state.ts";

export interface RunResult extends RunEnd {
  readonly runId: string;
  readonly skills: readonly string[];
  readonly steps: number;
}

const MAX_SAME_ACTIONS = 3;
/** A record takes no more, and what it cuts must not be acted on. */
const MAX_RESPONSE_LENGTH = 100_000;

/**
 * From wherever the run stands to its end: decide, act, observe, and again. Every end is a value;
 * what throws is a bug of ours or a record that cannot be written.
 */
export async function driveRun(run: DrivenRun): Promise<RunResult> {
  try {
    while (run.state.end === undefined) {
      const isStopped = run.stop?.aborted === true;
      const { aborted, reason } = run.signal;
      const blocked = aborted ? failureOf(reason) : undefined;
      await performStep(nextStep(run.state, aborted, { isStopped, blocked }), run);
    }
    const { end, active, steps } = run.state;
    return { ...end, runId: run.id, skills: active.map(({ name }) => name), steps: steps.length };
  } finally {
    run.close();
  }
}

/** Who cancels with a failure says what is missing; who cancels otherwise only wants it to end. */
function failureOf(reason: unknown): Failure | undefined {
  const { ok, code, message } = Object(reason) as Partial<Failure>;
  const isFailure = ok === false && typeof code === "string" && typeof message === "string";
  return isFailure ? (reason as Failure) : undefined;
}

async function performStep(step: Step, run: DrivenRun): Promise<void> {
  switch (step.step) {
    case "decide":
      return decide(step.mustAnswer, run);
    case "read":
      return read(step.response, run);
    case "act":
      return act(step.decided, run);
    case "interrupt":
      return observe(step.decided, INTERRUPTED, run);
    case "leave":
      return observe(step.decided, LEFT_OUT, run);
    case "end":
      return run.record({ event: "run-end", data: { ...step.end, usage: run.state.usage } });
  }
}

const INTERRUPTED: Observation = {
  ok: false,
  code: "interrupted",
  text: "This had begun when the run was cut off, and was not repeated. It may or may not have had its effect: look before you do it again.",
};

const LEFT_OUT: Observation = {
  ok: false,
  code: "left-out",
  text: "This was not done: the run was cut off before it, and what you decided held something that looks like a secret, which its record leaves out as [redacted]. Decide again and write the whole of it.",
};

/** Asks the model. */
async function decide(mustAnswer: boolean, run: DrivenRun): Promise<void> {
  const { model, state, tools, onText } = run;
  const { contextTokens } = model;
  const problem = priceProblem(model, state.budget);
  if (problem !== undefined && state.usage.turns === 0) {
    const end = { status: "error", answer: "", ...problem, usage: state.usage } as const;
    return run.record({ event: "run-end", data: end });
  }
  const built = buildRequest(state, { tools, contextTokens, mustAnswer });
  const { request, tokens, dropped, droppedSkills } = built;
  const turn = state.usage.turns + 1;
  const lost = droppedSkills.length > 0 ? { droppedSkills } : undefined;
  const data = { turn, digest: requestDigest(request), tokens, dropped, ...lost, mustAnswer };
  run.record({ event: "model-request", data });
  const response = await askWithin(model, request, {
    budget: state.budget,
    signal: run.deadline(),
    ...(onText && { onText }),
  });
  const { usage, latencyMs } = response;
  const elapsedMs = run.elapsed();
  const answer = { turn, ...said(turn, response, run), usage, latencyMs, elapsedMs };
  run.record({ event: "model-response", data: answer });
}

function said(turn: number, response: ModelResponse, run: DrivenRun) {
  if (!response.ok) return { text: "", calls: [], error: response.error };
  const { finish, message } = response;
  const length = message.text.length + JSON.stringify(message.calls).length;
  if (length <= MAX_RESPONSE_LENGTH) {
    return { ...run.hear(turn, { ...message, finish }, readOptions(run)), finish };
  }
  // Not a part of it: half of a secret would not be known as one.
  return { text: "", calls: [], finish, tooLong: length };
}

/** Understands what it said: an action with perhaps a new plan, or something that it has to mend. */
function read(response: ModelResponded, run: DrivenRun): void {
  const { state } = run;
  const { turn, tooLong, redacted } = response;
  const result = readAction(response, readOptions(run));
  const callId = result.callId === undefined ? undefined : { callId: result.callId };
  const reject = (problem: string) =>
    run.record({ event: "action-reject", data: { turn, problem, ...callId } });
  if (tooLong !== undefined) {
    return reject(
      `This answer has ${tooLong} characters; ${MAX_RESPONSE_LENGTH} are read. Do it in smaller parts.`,
    );
  }
  if (!result.ok) return reject(result.problem);
  const { action } = result;
  const { repeated } = state;
  if (repeated.times >= MAX_SAME_ACTIONS - 1 && repeated.action === actionKey(action)) {
    return reject(
      "This is the same action for the third time in a row. Do something else, or answer.",
    );
  }
  const planned = action.plan_update && applyPlan(state.plan, action.plan_update);
  const planProblem = planned?.ok === false ? { planProblem: planned.problem } : undefined;
  if (planProblem && action.action === "update_plan") return reject(planProblem.planProblem);
  const left = redacted === true ? { redacted } : undefined;
  run.record({
    event: "action-decide",
    data: { turn, action, ...callId, ...planProblem, ...left },
  });
  if (planned?.ok === true)
    run.record({ event: "plan-update", data: { turn, plan: planned.plan } });
}

function readOptions({ tools: { tools, canRun }, model, state }: DrivenRun): ReadOptions {
  const { mustAnswer } = state;
  return { tools: tools.map(({ name }) => name), canRun, mustAnswer, protocol: model.protocol };
}

async function act(decided: ActionDecided, run: DrivenRun): Promise<void> {
  const observation = await performUntil(run.deadline(), decided, run);
  // Nobody was there to approve it: it stays pending until somebody is. So does what was canceled.
  if (run.state.waitingFor !== undefined || observation === undefined) return;
  observe(decided, run.signal.aborted ? afterCancel(decided, observation) : observation, run);
}

const CANCELED =
  "Canceled by the person before it ended; it may have had a part of its effect. Run it again if it is still wanted.";

/** That it failed would be half the truth: it was not let come to its end. */
function afterCancel({ action: { action } }: ActionDecided, observation: Observation): Observation {
  const isCut = !observation.ok && (action === "run_script" || action === "use_tool");
  if (!isCut) return observation;
  return { ok: false, code: "canceled", text: `${CANCELED}\n\n${observation.text}` };
}

/** Undefined when somebody canceled it before it could come to anything. */
async function performUntil(
  deadline: AbortSignal,
  decided: ActionDecided,
  run: DrivenRun,
): Promise<Observation | undefined> {
  try {
    return await run.perform(decided, deadline);
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

function observe({ turn }: ActionDecided, { text, ...outcome }: Observation, run: DrivenRun): void {
  const data = { turn, ...outcome, ...run.shorten(turn, text), elapsedMs: run.elapsed() };
  run.record({ event: "action-end", data });
}
