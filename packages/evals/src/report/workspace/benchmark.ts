import type { EvalResults, TrialResult } from "../../results/eval-results.ts";
import { expectationsOf, summaryOf } from "./grading.ts";

const MEASURES = ["pass_rate", "time_seconds", "tokens"] as const;

type Measures = Readonly<Record<(typeof MEASURES)[number], number>>;

/**
 * `benchmark.json` of one skill. A trial that is an error is no run with a rate of nothing: it is left out of
 * the summary and said in the notes.
 */
export function benchmarkOf(results: EvalResults, skill: string, trials: readonly TrialResult[]) {
  const { setup, startedAt } = results;
  const ids = evalNumbers(trials);
  const runs = trials
    .filter(({ outcome }) => outcome !== "error")
    .map((trial) => runOf(trial, ids));
  const arms = setup.arms.map(({ name }) => name);
  const statistics = arms.map((arm) => {
    const measured = runs.filter(({ configuration }) => configuration === arm);
    return [arm, statisticsOf(measured.map(({ result }) => result))] as const;
  });
  const failed = trials.length - runs.length;
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
    run_summary: { ...Object.fromEntries(statistics), ...deltaOf(statistics) },
    notes:
      failed === 0
        ? []
        : [`${failed} of ${trials.length} trials ended in an error and count nowhere.`],
  };
}

/** The viewer wants numbers. */
export function evalNumbers(trials: readonly TrialResult[]): Map<string, number> {
  const ids = [...new Set(trials.map(({ caseId }) => caseId))];
  return new Map(ids.map((id, index) => [id, index + 1]));
}

function runOf(trial: TrialResult, ids: ReadonlyMap<string, number>) {
  const { caseId, title, arm, usage, steps, grades } = trial;
  const expectations = expectationsOf(grades);
  return {
    eval_id: ids.get(caseId) ?? 0,
    eval_name: title,
    configuration: arm,
    run_number: trial.trial,
    result: {
      ...summaryOf(expectations),
      time_seconds: usage.timeMs / 1000,
      tokens: usage.inputTokens + usage.outputTokens,
      tool_calls: usage.toolCalls,
      errors: steps.filter(({ ok }) => !ok).length,
    },
    expectations,
    notes: [],
  };
}

function statisticsOf(results: readonly Measures[]) {
  return Object.fromEntries(
    MEASURES.map((measure) => [measure, spread(results.map((result) => result[measure]))]),
  );
}

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

/** The arm that is tested less the other one: what the skill adds, whatever the names. */
function deltaOf(statistics: readonly (readonly [string, ReturnType<typeof statisticsOf>])[]) {
  const [tested, other] = statistics;
  if (tested === undefined || other === undefined) return undefined;
  const delta = MEASURES.map((measure) => {
    const difference = (tested[1][measure]?.mean ?? 0) - (other[1][measure]?.mean ?? 0);
    return [measure, signed(difference, measure === "tokens" ? 0 : 2)];
  });
  return { delta: Object.fromEntries(delta) as Record<string, string> };
}

function signed(value: number, digits: number): string {
  return `${value < 0 ? "" : "+"}${value.toFixed(digits)}`;
}
