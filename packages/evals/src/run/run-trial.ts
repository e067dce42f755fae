import {
  createMemoryStore,
  createSequenceModel,
  type Model,
  runAgent,
  type RunResult,
  type RunStart,
  type SkillActivated,
} from "@skillwright/agent";
import { type AuditRecord, createRedactor, type Redactor } from "@skillwright/runtime";
import { gradeTrial } from "../grade/grade-trial.ts";
import { type Grade, outcomeOf } from "../grade/grade.ts";
import type { TrialResult } from "../results/eval-results.ts";
import type { Trajectory } from "../trajectory/trajectory.ts";
import { trajectoryOf } from "../trajectory/trajectory-of.ts";
import type { EvalOptions, TrialPlace, TrialPlan } from "./eval-options.ts";
import { keptSteps } from "./kept-steps.ts";
import { TRIAL_TIMEOUT_MS, TrialEnd } from "./trial-end.ts";
import type { TrialDirectories } from "./trial-directories.ts";
import { type TrialError, trialError } from "./trial-error.ts";

const MAX_ANSWER_LENGTH = 20_000;
const REDACTOR = createRedactor({ env: {}, maxStringLength: MAX_ANSWER_LENGTH });

/**
 * One case with the real agent: the whole catalog, a context and a working directory of its own. Undefined when
 * somebody canceled it, since nobody knows what would have come of it.
 */
export async function runTrial(
  plan: TrialPlan,
  options: EvalOptions,
  directories: TrialDirectories,
): Promise<TrialResult | undefined> {
  try {
    return await directories.use(plan.evalCase.files, (directory) =>
      runIn(directory, plan, options),
    );
  } catch (error) {
    if (options.signal?.aborted === true) return undefined;
    const message = error instanceof Error ? error.message : String(error);
    return redacted(unfinished(plan, { code: "trial-failed", message }), options);
  }
}

/** Graders see what was said; what is kept of a trial is redacted as a whole. */
function unredacting(redactor: Redactor): Redactor {
  const rules = { ...redactor.rules, texts: [], longestValue: 0 };
  return { redact: (value) => value, redactText: (text) => text, rules };
}

async function runIn(
  directory: string,
  plan: TrialPlan,
  options: EvalOptions,
): Promise<TrialResult | undefined> {
  const { evalCase, arm } = plan;
  const skills = await arm.skillsFor(evalCase);
  const place = { directory, skills, plan };
  const records: AuditRecord[] = [];
  const allowed = options.openPolicy?.(place);
  const timeoutMs = evalCase.timeoutMs ?? options.timeoutMs ?? TRIAL_TIMEOUT_MS;
  const end = new TrialEnd(timeoutMs, [options.signal, allowed?.signal]);
  const { clock: now = () => performance.now() } = options;
  const result = await runAgent({
    request: evalCase.input,
    skills,
    model: timed(await modelFor(place, options), end),
    store: createMemoryStore({ redactor: unredacting(options.redactor ?? REDACTOR) }),
    signal: end.signal,
    // Recorded answers are found again by what the model was sent.
    isRepeatable: true,
    onEvent(event) {
      if (event.event !== "text-delta") records.push(event);
    },
    ...(allowed && { policy: allowed.policy }),
    ...(options.budget && { budget: options.budget }),
    clock: () => now() - end.pausedMs,
  }).finally(() => end.close());
  await allowed?.close?.(result.runId);
  if (options.signal?.aborted === true && result.status === "canceled") return undefined;
  const trajectory = trajectoryOf(records);
  const error = allowed?.problem?.() ?? trialError(result, end);
  // Whoever grades has as long as the trial had: a judge may never answer.
  const gradingEnd = new TrialEnd(timeoutMs, [options.signal]);
  const { signal } = gradingEnd;
  const grades =
    error === undefined
      ? await gradeTrial(evalCase, trajectory, { ...options.graders, directory, signal })
      : [];
  gradingEnd.close();
  if (options.signal?.aborted === true && outcomeOf(grades) === "error") return undefined;
  const start = startOf(records);
  const activationTokens = activated(records);
  const ended = { result, trajectory, grades, error, start, activationTokens };
  return redacted(graded(plan, ended), options);
}

function modelFor(place: TrialPlace, { openModel }: EvalOptions): Model | Promise<Model> {
  const { mock } = place.plan.evalCase;
  return mock === undefined ? openModel(place) : createSequenceModel(mock.actions);
}

/** What the model waits for stops the clock of the trial, whatever signal the run gives it. */
function timed(model: Model, end: TrialEnd): Model {
  const { id, protocol, contextTokens } = model;
  return {
    ...model,
    id,
    protocol,
    contextTokens,
    decide: (request, context) => end.during(context?.signal, () => model.decide(request, context)),
  };
}

interface Ended {
  readonly result: RunResult;
  readonly trajectory: Trajectory;
  readonly grades: readonly Grade[];
  readonly error: TrialError | undefined;
  readonly start: RunStart | undefined;
  readonly activationTokens: number;
}

function graded(plan: TrialPlan, ended: Ended): TrialResult {
  const { result, trajectory, grades, error, start, activationTokens } = ended;
  return {
    ...unfinished(plan, error),
    outcome: error === undefined ? outcomeOf(grades) : "error",
    grades,
    skills: trajectory.skills,
    answer: trajectory.answer.slice(0, MAX_ANSWER_LENGTH),
    status: result.status,
    steps: keptSteps(trajectory.steps),
    usage: trajectory.usage,
    catalogTokens: start?.catalog.tokens ?? 0,
    activationTokens,
    runId: result.runId,
  };
}

/**
 * All that came from a model, a skill, a program or whoever wrote the case; piece by piece, since a redactor bounds
 * what it gives. A request is never cut: later evals are held against it.
 */
function redacted(trial: TrialResult, { redactor = REDACTOR }: EvalOptions): TrialResult {
  const { title, input, answer, steps, grades, error } = trial;
  const clean = <Value>(value: Value) => redactor.redact(value) as Value;
  return {
    ...trial,
    title: redactor.redactText(title),
    input: redactor.redactText(input),
    answer: clean(answer),
    steps: steps.map(clean),
    grades: grades.map(clean),
    ...(error && { error: clean(error) }),
  };
}

const NO_USAGE = {
  turns: 0,
  toolCalls: 0,
  scripts: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
  timeMs: 0,
};

function unfinished({ evalCase, arm, trial }: TrialPlan, error?: TrialError): TrialResult {
  const { id, title, input, origin, expected, mock, tags } = evalCase;
  return {
    caseId: id,
    title,
    input,
    origin,
    arm: arm.arm.name,
    trial,
    outcome: "error",
    ...(error && { error }),
    grades: [],
    ...(expected.skills && { expectedSkills: expected.skills }),
    isMock: mock !== undefined,
    tags,
    skills: [],
    answer: "",
    status: "error",
    steps: [],
    usage: NO_USAGE,
    catalogTokens: 0,
    activationTokens: 0,
    runId: "",
  };
}

function startOf(records: readonly AuditRecord[]): RunStart | undefined {
  const start = records.find(({ event }) => event === "run-start");
  return start?.data as RunStart | undefined;
}

function activated(records: readonly AuditRecord[]): number {
  return records
    .filter(({ event }) => event === "skill-activate")
    .reduce((sum, { data }) => sum + (data as SkillActivated).tokens, 0);
}
