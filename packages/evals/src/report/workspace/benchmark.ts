import type { EvalResults, TrialResult } from "../../results/eval-results.ts";
import { OUTPUT_METRICS } from "../../summary/outcome-of-metrics.ts";
import { type BenchmarkRun, comparedRuns, summaryOfRuns } from "./benchmark-summary.ts";
import { callsOf, expectationsOf, summaryOf } from "./grading.ts";

/**
 * `benchmark.json` of one skill. A trial that is an error is no run with a rate of nothing: it is left out of
 * the summary and said in the notes. Without the skill it can neither be selected nor followed: with such an arm
 * only what came out is an expectation, in all arms.
 */
export function benchmarkOf(results: EvalResults, skill: string, trials: readonly TrialResult[]) {
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
export function evalNumbers(trials: readonly TrialResult[]): Map<string, number> {
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
