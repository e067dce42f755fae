import { contentDigest } from "@skillwright/runtime";
import { applyPlan } from "../actions/apply-plan.ts";
import { readAction } from "../actions/read-action.ts";
import { performAction } from "../acts/perform-action.ts";
import type { Observation } from "../acts/observation.ts";
import { buildRequest } from "../context/build-request.ts";
import { summarize } from "../context/summarize.ts";
import type { ActionDecided, ModelResponded, RunEnd } from "../events/agent-event.ts";
import type { Run } from "../runs/run.ts";
import { nextStep, type Step } from "./next-step.ts";
import { actionKey } from "./run-state.ts";

export interface RunResult extends RunEnd {
  readonly runId: string;
  readonly skills: readonly string[];
  readonly steps: number;
}

const MAX_SAME_ACTIONS = 3;

/**
 * From wherever the run stands to its end: decide, act, observe, and again. Every end is a value;
 * what throws is a bug of ours or a record that cannot be written.
 */
export async function driveRun(run: Run): Promise<RunResult> {
  try {
    while (run.state.end === undefined) {
      await performStep(nextStep(run.state, run.world.signal.aborted), run);
    }
    const { end, active, steps } = run.state;
    return { ...end, runId: run.id, skills: active.map(({ name }) => name), steps: steps.length };
  } finally {
    run.close();
  }
}

async function performStep(step: Step, run: Run): Promise<void> {
  switch (step.step) {
    case "decide":
      return decide(step.mustAnswer, run);
    case "read":
      return read(step.response, run);
    case "act":
      return act(step.decided, run);
    case "interrupt":
      return observe(step.decided, INTERRUPTED, run);
    case "end":
      return run.record({ event: "run-end", data: { ...step.end, usage: run.state.usage } });
  }
}

const INTERRUPTED: Observation = {
  ok: false,
  code: "interrupted",
  text: "This had begun when the run was cut off, and was not repeated. It may or may not have had its effect: look before you do it again.",
};

/** Asks the model. */
async function decide(mustAnswer: boolean, run: Run): Promise<void> {
  const { model, state, world } = run;
  const { contextTokens } = model;
  const built = buildRequest(state, { tools: world.tools, contextTokens, mustAnswer });
  const { request, tokens, dropped } = built;
  const { system, messages, actions } = request;
  const turn = state.usage.turns + 1;
  const digest = contentDigest(JSON.stringify({ system, messages, actions }));
  run.record({ event: "model-request", data: { turn, digest, tokens, dropped, mustAnswer } });
  const { onText } = run.options;
  const response = await model.decide(request, {
    signal: run.deadline(),
    ...(onText && { onText }),
  });
  const { usage, latencyMs } = response;
  const common = { turn, usage, latencyMs, elapsedMs: run.elapsed() };
  run.record({
    event: "model-response",
    data: response.ok
      ? { ...common, ...response.message, finish: response.finish }
      : { ...common, text: "", calls: [], error: response.error },
  });
}

/** Understands what it said: an action with perhaps a new plan, or something that it has to mend. */
function read(response: ModelResponded, run: Run): void {
  const { state, world } = run;
  const { turn } = response;
  const { tools, canRun } = world.tools;
  const names = tools.map(({ name }) => name);
  const result = readAction(response, { tools: names, canRun, mustAnswer: run.mustAnswer() });
  const callId = result.callId === undefined ? undefined : { callId: result.callId };
  const reject = (problem: string) =>
    run.record({ event: "action-reject", data: { turn, problem, ...callId } });
  if (!result.ok) return reject(result.problem);
  const { action } = result;
  const { repeated } = state;
  if (repeated.action === actionKey(action) && repeated.times >= MAX_SAME_ACTIONS - 1) {
    return reject(
      "This is the same action for the third time in a row. Do something else, or answer.",
    );
  }
  const planned = action.plan_update && applyPlan(state.plan, action.plan_update);
  if (planned?.ok === false && action.action === "update_plan") return reject(planned.problem);
  run.record({ event: "action-decide", data: { turn, action, ...callId } });
  if (planned?.ok === true)
    run.record({ event: "plan-update", data: { turn, plan: planned.plan } });
}

async function act(decided: ActionDecided, run: Run): Promise<void> {
  const observation = await performAction(decided.action, run.state, run.world);
  // Nobody was there to approve it: it stays pending until somebody is.
  if (run.state.waitingFor === undefined) observe(decided, observation, run);
}

function observe({ turn }: ActionDecided, { text, ...outcome }: Observation, run: Run): void {
  const { observation, isWhole } = summarize(text);
  const output = isWhole ? undefined : { output: run.saveOutput(turn, text) };
  const data = { turn, ...outcome, observation, ...output, elapsedMs: run.elapsed() };
  run.record({ event: "action-end", data });
}
