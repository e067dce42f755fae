import { plural } from "@skillwright/core/internal";
import {
  type EvalCase,
  type EvalOptions,
  type EvalResults,
  planRetries,
  planTrials,
  runEvals,
  summarize,
  type TrialJob,
  type TrialResult,
} from "@skillwright/evals";
import { compareWith, type Unfinished } from "./conclude.ts";
import type { EvalNumbers, EvalWatcher } from "./settings.ts";
import type { OpenedEval } from "./open-eval.ts";

interface RetryOptions {
  /** What the trials were run with: the same journal and budget. */
  readonly evals: EvalOptions;
  readonly results: EvalResults;
  readonly baseline: EvalResults | undefined;
  readonly world: OpenedEval;
  readonly numbers: EvalNumbers;
  readonly watcher: EvalWatcher;
}

export interface RetriedSuspects {
  /** They count for their cases alone. */
  readonly trials: readonly TrialResult[];
  readonly unfinished?: Unfinished;
}

/** Runs cases that look worse again: on both versions of `--against`, and against a saved baseline on the new one. */
export async function retrySuspects(options: RetryOptions): Promise<RetriedSuspects | undefined> {
  const { evals, results, world, watcher } = options;
  const retries = suspectsOf(options);
  if (retries.size === 0) return undefined;
  const { host } = world;
  host.note(`Trying ${plural(retries.size, "case")} again that may have got worse.`);
  const known = new Set(results.trials.map(trialKeyOf));
  const cases = evals.cases.flatMap((one) => {
    const retry = retries.get(one.id);
    if (retry === undefined) return [];
    const tried = results.trials.filter(({ caseId }) => caseId === one.id);
    const most = tried.reduce((sum, { trial }) => Math.max(sum, trial), 0);
    return [{ ...one, trials: most + retry.trials }];
  });
  const arms = evals.arms.map((arm) => ({
    ...arm,
    isFor: ({ id }: EvalCase) => retries.get(id)?.arms.includes(arm.arm.name) === true,
  }));
  const isFurther = (one: TrialJob | TrialResult) => !known.has(trialKeyOf(one));
  const jobs = planTrials({ cases, arms }).filter(isFurther);
  watcher.onBegin?.({ noun: "further trials", total: jobs.length, done: 0, isResumed: false });
  try {
    const onResult = (result: TrialResult) => watcher.onResult?.(result);
    const more = (await runEvals({ ...evals, cases, arms, onResult })).filter(isFurther);
    const trials = more.map((one): TrialResult => ({ ...one, isRetry: true }));
    if (trials.length === jobs.length) return { trials };
    const spent = await evals.evalBudget?.exhausted(evals.evalDigest ?? "");
    const reason = spent === "cost" || spent === "time" ? spent : "interrupted";
    const isOpen = ({ id }: EvalCase) => countOf(more, id) < countOf(jobs, id);
    return { trials, unfinished: { reason, cases: cases.filter(isOpen).length } };
  } finally {
    watcher.onEnd?.();
  }
}

function countOf(all: readonly Pick<TrialJob, "caseId">[], id: string): number {
  return all.filter(({ caseId }) => caseId === id).length;
}

export function trialKeyOf({ caseId, arm, trial }: TrialJob | TrialResult): string {
  return JSON.stringify([caseId, arm, trial]);
}

interface Retry {
  readonly trials: number;
  readonly arms: readonly string[];
}

/** The cases that look worse, and how often each has to be tried again. */
export function suspectsOf({
  results,
  baseline,
  world,
  numbers,
}: Pick<RetryOptions, "results" | "baseline" | "world" | "numbers">): ReadonlyMap<string, Retry> {
  const retries = new Map<string, Retry>();
  const tested = results.setup.arms[0]?.name ?? "with_skill";
  if (baseline !== undefined) {
    const { cases } = compareWith(baseline, results, numbers, world.isPart);
    for (const { caseId, trials } of planRetries(cases, { isBaselineSaved: true })) {
      retries.set(caseId, { trials, arms: [tested] });
    }
  }
  const isPaired = results.setup.arms.length > 1;
  for (const { flips } of isPaired ? summarize(results).verdict.paired : []) {
    if (flips === undefined) continue;
    for (const { caseId, trials } of planRetries(flips, { isBaselineSaved: false })) {
      const more = Math.max(trials, retries.get(caseId)?.trials ?? 0);
      retries.set(caseId, { trials: more, arms: [tested, "old_skill"] });
    }
  }
  return retries;
}
