import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Grade, outcomeOf } from "../grade/grade.ts";
import type { EvalResults, TrialResult } from "../results/eval-results.ts";
import { OUTPUT_METRICS } from "../summary/summarize-checks.ts";

const MEASURES = ["pass_rate", "time_seconds", "tokens"] as const;

type Measure = (typeof MEASURES)[number];

interface BenchmarkRun {
  readonly eval_id: number;
  readonly configuration: string;
  readonly result: Readonly<Record<Measure | "total", number>>;
}

/** Runs of evals that every arm with any run has: means over different evals say nothing about the arms. */
function comparedRuns<Run extends BenchmarkRun>(
  runs: readonly Run[],
  arms: readonly string[],
): Run[] {
  const evals = arms.map((arm) => new Set(ofArm(runs, arm).map(({ eval_id }) => eval_id)));
  const used = evals.filter(({ size }) => size > 0);
  return runs.filter(({ eval_id }) => used.every((own) => own.has(eval_id)));
}

function summaryOfRuns(runs: readonly BenchmarkRun[], arms: readonly string[]) {
  const judged = comparedRuns(
    runs.filter(({ result }) => result.total > 0),
    arms,
  );
  const statistics = arms.map((arm) => {
    const spreads = MEASURES.map((measure) => {
      const own = ofArm(measure === "pass_rate" ? judged : runs, arm);
      return [measure, spread(own.map(({ result }) => result[measure]))] as const;
    });
    return [arm, Object.fromEntries(spreads) as Record<Measure, Spread>] as const;
  });
  return { ...Object.fromEntries(statistics), ...deltaOf(statistics) };
}

function ofArm<Run extends BenchmarkRun>(runs: readonly Run[], arm: string): Run[] {
  return runs.filter(({ configuration }) => configuration === arm);
}

type Spread = ReturnType<typeof spread>;

function spread(values: readonly number[]) {
  if (values.length === 0) return { mean: 0, stddev: 0, min: 0, max: 0, n: 0 };
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const stddev = values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1));
  // `Math.min(...values)` ends at some hundred thousand.
  const min = values.reduce((least, value) => Math.min(least, value), Infinity);
  const max = values.reduce((most, value) => Math.max(most, value), -Infinity);
  return { mean, stddev, min, max, n: values.length };
}

/** The arm that is tested less the other one: what the skill adds, whatever the names. Of what was not measured in both, nothing. */
function deltaOf(statistics: readonly (readonly [string, Readonly<Record<Measure, Spread>>])[]) {
  const [tested, other] = statistics;
  if (tested === undefined || other === undefined) return undefined;
  const delta = MEASURES.flatMap((measure) => {
    const [own, second] = [tested[1][measure], other[1][measure]];
    if (own.n === 0 || second.n === 0) return [];
    return [[measure, signed(own.mean - second.mean, measure === "tokens" ? 0 : 2)] as const];
  });
  return { delta: Object.fromEntries(delta) as Partial<Record<Measure, string>> };
}

function signed(value: number, digits: number): string {
  return `${value < 0 ? "" : "+"}${value.toFixed(digits)}`;
}

const ACTING: ReadonlySet<string> = new Set(["run_script", "use_tool", "load_resource"]);

/** `grading.json` and `timing.json` of one trial, as the viewer of skill-creator reads them. */
function gradingOf(result: TrialResult) {
  const { usage, steps, answer, arm, grades } = result;
  // Without the skill it can neither be selected nor followed: that it was not is no failure.
  const isBare = arm === "without_skill";
  const own = isBare ? grades.filter(({ metric }) => OUTPUT_METRICS.includes(metric)) : grades;
  const expectations = expectationsOf(own);
  const { calls, total } = callsOf(result);
  const seconds = usage.timeMs / 1000;
  return {
    expectations,
    summary: summaryOf(expectations),
    execution_metrics: {
      tool_calls: calls,
      total_tool_calls: total,
      total_steps: steps.length,
      errors_encountered: steps.filter(({ ok }) => !ok).length,
      output_chars: answer.length,
      transcript_chars: transcriptLength(result),
    },
    timing: { executor_duration_seconds: seconds, total_duration_seconds: seconds },
    outcome: isBare && result.outcome !== "error" ? outcomeOf(own) : result.outcome,
    ...(result.error && { error: result.error }),
  };
}

function timingOf({ usage }: TrialResult) {
  return {
    total_tokens: usage.inputTokens + usage.outputTokens,
    duration_ms: usage.timeMs,
    total_duration_seconds: usage.timeMs / 1000,
    executor_duration_seconds: usage.timeMs / 1000,
  };
}

/** What nobody judged is no expectation that was met or missed. */
function expectationsOf(grades: readonly Grade[]) {
  return grades.flatMap(({ text, outcome, evidence }) =>
    outcome === "pass" || outcome === "fail"
      ? [{ text, passed: outcome === "pass", evidence }]
      : [],
  );
}

function summaryOf(expectations: readonly { readonly passed: boolean }[]) {
  const passed = expectations.filter((one) => one.passed).length;
  const total = expectations.length;
  return { passed, failed: total - passed, total, pass_rate: total === 0 ? 0 : passed / total };
}

/** What was done beyond the conversation, as it is counted everywhere: to select skills and to answer are none of it. */
function callsOf({ steps, usage }: TrialResult) {
  const calls = new Map<string, number>();
  const add = (name: string, count: number) => calls.set(name, (calls.get(name) ?? 0) + count);
  const acting = steps.filter(({ action }) => ACTING.has(action));
  for (const { action, subject } of acting) add(action === "use_tool" ? subject : action, 1);
  // Of a very long trial not all steps are kept.
  const left = usage.toolCalls - acting.length;
  if (left > 0) add("other", left);
  return { calls: Object.fromEntries(calls), total: acting.length + Math.max(0, left) };
}

/** The request, what was called and what it brought, and the answer. */
function transcriptLength({ input, steps, answer }: TrialResult): number {
  const lengths = steps.map(({ action, arguments: given, observation }) =>
    // The answer is counted once, and whole.
    action === "final_answer" ? 0 : JSON.stringify(given).length + observation.length,
  );
  return lengths.reduce((sum, length) => sum + length, input.length + answer.length);
}

/**
 * `benchmark.json` of one skill. A trial that is an error is no run with a rate of nothing: it is left out of
 * the summary and said in the notes. Without the skill it can neither be selected nor followed: with such an arm
 * only what came out is an expectation, in all arms.
 */
function benchmarkOf(results: EvalResults, skill: string, trials: readonly TrialResult[]) {
  const { setup, startedAt } = results;
  const arms = setup.arms.map(({ name }) => name);
  const isOutputOnly = arms.includes("without_skill");
  const ids = evalNumbers(trials);
  const ended = trials.filter(({ outcome }) => outcome !== "error");
  const runs = ended.map((trial) => runOf(trial, ids, isOutputOnly));
  // Where actions are given, nobody decided anything in any arm.
  const decided = runs.filter((_, i) => arms.length === 1 || ended[i]?.isMock !== true);
  const compared = comparedRuns(decided, arms);
  return {
    metadata: {
      skill_name: skill,
      skill_path: skill,
      executor_model: setup.model,
      analyzer_model: "none",
      timestamp: startedAt,
      evals_run: [...ids.values()],
      runs_per_configuration: setup.trials,
    },
    runs,
    run_summary: summaryOfRuns(compared, arms),
    notes: notesOf({ trials, runs, compared, isOutputOnly }),
  };
}

/** The viewer wants numbers. */
function evalNumbers(trials: readonly TrialResult[]): Map<string, number> {
  const ids = [...new Set(trials.map(({ caseId }) => caseId))];
  return new Map(ids.map((id, index) => [id, index + 1]));
}

function runOf(trial: TrialResult, ids: ReadonlyMap<string, number>, isOutputOnly: boolean) {
  const { caseId, title, arm, usage, steps, grades } = trial;
  const own = isOutputOnly
    ? grades.filter(({ metric }) => OUTPUT_METRICS.includes(metric))
    : grades;
  const expectations = expectationsOf(own);
  return {
    eval_id: ids.get(caseId) ?? 0,
    eval_name: title,
    configuration: arm,
    run_number: trial.trial,
    result: {
      ...summaryOf(expectations),
      time_seconds: usage.timeMs / 1000,
      tokens: usage.inputTokens + usage.outputTokens,
      tool_calls: callsOf(trial).total,
      errors: steps.filter(({ ok }) => !ok).length,
    },
    expectations,
    notes: [],
  };
}

interface NoteFacts {
  readonly trials: readonly TrialResult[];
  readonly runs: readonly BenchmarkRun[];
  readonly compared: readonly BenchmarkRun[];
  readonly isOutputOnly: boolean;
}

function notesOf({ trials, runs, compared, isOutputOnly }: NoteFacts): string[] {
  const failed = trials.length - runs.length;
  const unjudged = compared.filter(({ result }) => result.total === 0).length;
  const alone = runs.length - compared.length;
  const notes: readonly (readonly [boolean, string])[] = [
    [failed > 0, `${failed} of ${trials.length} trials ended in an error and count nowhere.`],
    [
      isOutputOnly,
      "Only what came out is judged here: which skill is selected, and in which order, cannot be without it.",
    ],
    [
      unjudged > 0,
      `In ${unjudged} of ${runs.length} runs nothing was judged: they have no pass rate.`,
    ],
    [
      alone > 0,
      `${alone} of ${runs.length} runs have fixed actions or none to compare with, and are not in the summary.`,
    ],
  ];
  return notes.flatMap(([isSo, note]) => (isSo ? [note] : []));
}

export async function writeWorkspace(folder: string, results: EvalResults): Promise<string[]> {
  const skills = new Set(results.trials.map(skillOf));
  const made: string[] = [];
  for (const skill of skills) {
    const trials = results.trials.filter((trial) => skillOf(trial) === skill);
    const iteration = await nextIteration(join(folder, `${fileName(skill)}-workspace`));
    const numbers = evalNumbers(trials);
    for (const trial of trials) await writeTrial(iteration, trial, numbers);
    await writeJson(join(iteration, "benchmark.json"), benchmarkOf(results, skill, trials));
    made.push(iteration);
  }
  return made;
}

function skillOf({ origin }: TrialResult): string {
  return origin.skill ?? "evals";
}

async function nextIteration(workspace: string): Promise<string> {
  await mkdir(workspace, { recursive: true });
  const numbers = (await readdir(workspace)).map((name) =>
    Number(/^iteration-(\d+)$/.exec(name)?.[1]),
  );
  const last = Math.max(0, ...numbers.filter(Number.isSafeInteger));
  const iteration = join(workspace, `iteration-${last + 1}`);
  await mkdir(iteration);
  return iteration;
}

async function writeTrial(
  iteration: string,
  trial: TrialResult,
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  const number = numbers.get(trial.caseId) ?? 0;
  const evalFolder = join(iteration, `eval-${number}`);
  const folder = join(evalFolder, trial.arm, `run-${trial.trial}`);
  await mkdir(join(folder, "outputs"), { recursive: true });
  await writeFile(join(folder, "outputs", "answer.md"), `${trial.answer}\n`);
  await writeJson(join(folder, "grading.json"), gradingOf(trial));
  await writeJson(join(folder, "timing.json"), timingOf(trial));
  await writeJson(join(evalFolder, "eval_metadata.json"), {
    eval_id: number,
    eval_name: trial.title,
    prompt: trial.input,
    assertions: trial.grades.map(({ text }) => text),
  });
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** A name of one folder, whatever the skill is called. */
function fileName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 80) || "skill";
}
