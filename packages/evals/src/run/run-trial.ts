import {
  createMemoryStore,
  createSequenceModel,
  type Model,
  runAgent,
  type RunResult,
} from "@skillwright/agent";
import type { RunStart, SkillActivated } from "@skillwright/agent/internal";
import { type AuditRecord, createRedactor } from "@skillwright/runtime";
import { UNREDACTED } from "@skillwright/runtime/internal";
import type { EvalCase } from "../cases/eval-case.ts";
import { gradeTrial } from "../grade/grade-trial.ts";
import { type Grade, outcomeOf } from "../grade/grade.ts";
import type { TrialResult } from "../results/eval-results.ts";
import type { Trajectory, TrajectoryStep } from "../trajectory/trajectory.ts";
import { trajectoryOf } from "../trajectory/trajectory-of.ts";
import { TRIAL_TIMEOUT_MS, TrialEnd } from "./trial-end.ts";
import { TrialDirectories } from "./trial-directories.ts";
import { type TrialError, trialError } from "./trial-error.ts";
import { type TrialJob, trialRunId } from "./trial-job.ts";
import type { EvalInputs, TrialPlace, TrialWorker } from "./trial-worker.ts";

const MAX_ANSWER_LENGTH = 20_000;
const REDACTOR = createRedactor({ env: {}, maxStringLength: MAX_ANSWER_LENGTH });

export interface RunTrialOptions {
  /** Cancels the trial. */
  readonly signal?: AbortSignal;
}

/**
 * One case with the real agent: the whole catalog, a context and a working directory of its own. Undefined when it
 * was canceled, since nobody knows how it would have ended.
 */
export async function runTrial(
  job: TrialJob,
  worker: TrialWorker,
  options: RunTrialOptions = {},
): Promise<TrialResult | undefined> {
  const directories = new TrialDirectories(worker.folder);
  try {
    return await runTrialIn(directories, job, worker, options);
  } finally {
    directories.close();
  }
}

/** The same with working directories that later trials use again. */
export async function runTrialIn(
  directories: TrialDirectories,
  job: TrialJob,
  worker: TrialWorker,
  { signal }: RunTrialOptions,
): Promise<TrialResult | undefined> {
  const inputs = await worker.inputs(job.evalDigest);
  const evalCase = await inputs.caseOf(job.caseId);
  if (evalCase === undefined) {
    throw new TypeError(`the eval ${job.evalDigest} has no case ${JSON.stringify(job.caseId)}`);
  }
  const trial: Trial = { job, worker, inputs, evalCase, signal };
  try {
    return await directories.use(evalCase.files, (directory) => runIn(directory, trial));
  } catch (error) {
    if (signal?.aborted === true) return undefined;
    const message = error instanceof Error ? error.message : String(error);
    return redacted(unfinished(trial, { code: "trial-failed", message }), worker);
  }
}

interface Trial {
  readonly job: TrialJob;
  readonly worker: TrialWorker;
  readonly inputs: EvalInputs;
  readonly evalCase: EvalCase;
  readonly signal: AbortSignal | undefined;
}

async function runIn(directory: string, trial: Trial): Promise<TrialResult | undefined> {
  const { job, worker, inputs, evalCase } = trial;
  const skills = await inputs.skillsFor(job.arm, evalCase);
  const place = { directory, skills, evalCase, job };
  const records: AuditRecord[] = [];
  const allowed = worker.openPolicy?.(place);
  const timeoutMs = evalCase.timeoutMs ?? inputs.timeoutMs ?? TRIAL_TIMEOUT_MS;
  const end = new TrialEnd(timeoutMs, [trial.signal, allowed?.signal]);
  const { clock: now = () => performance.now() } = worker;
  const result = await runAgent({
    request: evalCase.input,
    skills,
    model: timed(await modelFor(place, worker), end),
    // Graders see what was said; what is kept of a trial is redacted as a whole.
    store: createMemoryStore({ redactor: UNREDACTED }),
    ids: runIds(job),
    signal: end.signal,
    // Recorded answers are found again by what the model was sent.
    isRepeatable: true,
    onEvent(event) {
      if (event.event !== "text-delta") records.push(event);
    },
    ...(allowed && { policy: allowed.policy }),
    ...(inputs.budget && { budget: inputs.budget }),
    clock: () => now() - end.pausedMs,
  }).finally(() => end.close());
  await allowed?.close?.(result.runId);
  if (trial.signal?.aborted === true && result.status === "canceled") return undefined;
  const trajectory = trajectoryOf(records);
  const error = allowed?.problem?.() ?? trialError(result, end, records);
  // Whoever grades has as long as the trial had: a judge may never answer.
  const gradingEnd = new TrialEnd(timeoutMs, [trial.signal]);
  const { signal } = gradingEnd;
  const pause = () => gradingEnd.pause();
  const grades =
    error === undefined
      ? await gradeTrial(evalCase, trajectory, { ...worker.graders, directory, signal, pause })
      : [];
  gradingEnd.close();
  if (trial.signal?.aborted === true && outcomeOf(grades) === "error") return undefined;
  const start = startOf(records);
  const activationTokens = activated(records);
  const ended = { result, trajectory, grades, error, start, activationTokens };
  return redacted(graded(trial, ended), worker);
}

/** Of the run of a trial, and of the child runs in it. */
function runIds(job: TrialJob): () => string {
  const id = trialRunId(job);
  let children = 0;
  let isFirst = true;
  return () => {
    if (!isFirst) return `${id}-${++children}`;
    isFirst = false;
    return id;
  };
}

function modelFor(place: TrialPlace, { openModel }: TrialWorker): Model | Promise<Model> {
  const { mock } = place.evalCase;
  return mock === undefined ? openModel(place) : createSequenceModel(mock.actions);
}

/** Waiting for a retry or a turn stops the clock of the trial. */
function timed(model: Model, end: TrialEnd): Model {
  const { id, protocol, contextTokens } = model;
  return {
    ...model,
    id,
    protocol,
    contextTokens,
    decide: (request, context) => model.decide(request, { ...context, pause: () => end.pause() }),
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

function graded(trial: Trial, ended: Ended): TrialResult {
  const { result, trajectory, grades, error, start, activationTokens } = ended;
  return {
    ...unfinished(trial, error),
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
function redacted(trial: TrialResult, { redactor = REDACTOR }: TrialWorker): TrialResult {
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

function unfinished({ evalCase, job }: Trial, error?: TrialError): TrialResult {
  const { id, title, input, origin, expected, mock, tags } = evalCase;
  return {
    caseId: id,
    title,
    input,
    origin,
    arm: job.arm,
    trial: job.trial,
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
    runId: trialRunId(job),
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

const MAX_STEPS = 100;
const MAX_OBSERVATION_LENGTH = 1500;
const MAX_ARGUMENT_LENGTH = 500;

/** What of a trajectory is worth keeping in the results: a report of thousands of cases has to fit somewhere. */
function keptSteps(steps: readonly TrajectoryStep[]): TrajectoryStep[] {
  return steps.slice(0, MAX_STEPS).map((step) => ({
    ...step,
    observation: shortened(step.observation, MAX_OBSERVATION_LENGTH),
    arguments: Object.fromEntries(
      Object.entries(step.arguments).map(([name, value]) => [name, keptValue(value)]),
    ),
  }));
}

function keptValue(value: unknown): unknown {
  if (typeof value === "string") return shortened(value, MAX_ARGUMENT_LENGTH);
  const text = JSON.stringify(value) ?? "";
  return text.length > MAX_ARGUMENT_LENGTH ? shortened(text, MAX_ARGUMENT_LENGTH) : value;
}

/** A copy: a part of a long text would keep all of it in memory. */
function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = Buffer.from(text.slice(0, length), "utf8").toString("utf8");
  return `${kept}… (${text.length} characters)`;
}
