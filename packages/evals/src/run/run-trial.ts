import {
  createMemoryStore,
  createSequenceModel,
  type Model,
  runAgent,
  type RunResult,
  type RunStart,
  type SkillActivated,
} from "@skillwright/agent";
import type { AuditRecord } from "@skillwright/runtime";
import { gradeTrial } from "../grade/grade-trial.ts";
import type { Grade } from "../grade/grade.ts";
import { outcomeOf } from "../grade/outcome-of.ts";
import type { TrialResult } from "../results/eval-results.ts";
import type { Trajectory } from "../trajectory/trajectory.ts";
import { trajectoryOf } from "../trajectory/trajectory-of.ts";
import type { EvalOptions, TrialPlace, TrialPlan } from "./eval-options.ts";
import { keptSteps } from "./kept-steps.ts";
import { withTrialDirectory } from "./trial-directory.ts";
import { type TrialError, trialError } from "./trial-error.ts";

const TIMEOUT_MS = 120_000;
const MAX_ANSWER_LENGTH = 20_000;

/**
 * One case with the real agent: the whole catalog, a context and a working directory of its own. Undefined when
 * somebody canceled it, since nobody knows what would have come of it.
 */
export async function runTrial(
  plan: TrialPlan,
  options: EvalOptions,
): Promise<TrialResult | undefined> {
  try {
    return await withTrialDirectory(options.folder, plan.evalCase.files, (directory) =>
      runIn(directory, plan, options),
    );
  } catch (error) {
    if (options.signal?.aborted === true) return undefined;
    const message = error instanceof Error ? error.message : String(error);
    return unfinished(plan, { code: "trial-failed", message });
  }
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
  const timeout = AbortSignal.timeout(evalCase.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS);
  const ends = [timeout, options.signal, allowed?.signal].filter((one) => one !== undefined);
  const result = await runAgent({
    request: evalCase.input,
    skills,
    model: await modelFor(place, options),
    store: createMemoryStore(),
    signal: AbortSignal.any(ends),
    onEvent: (record) => void records.push(record),
    ...(allowed && { policy: allowed.policy }),
    ...(options.budget && { budget: options.budget }),
    ...(options.clock && { clock: options.clock }),
  });
  await allowed?.close?.(result.runId);
  if (options.signal?.aborted === true && result.status === "canceled") return undefined;
  const trajectory = trajectoryOf(records);
  const error = allowed?.problem?.() ?? trialError(result, timeout.aborted);
  const grades =
    error === undefined
      ? await gradeTrial(evalCase, trajectory, { ...options.graders, directory })
      : [];
  const start = startOf(records);
  const activationTokens = activated(records);
  return graded(plan, { result, trajectory, grades, error, start, activationTokens });
}

function modelFor(place: TrialPlace, { openModel }: EvalOptions): Model | Promise<Model> {
  const { mock } = place.plan.evalCase;
  return mock === undefined ? openModel(place) : createSequenceModel(mock.actions);
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
    .reduce((sum, { data }) => sum + (data as unknown as SkillActivated).tokens, 0);
}
