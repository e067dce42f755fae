import { setImmediate } from "node:timers/promises";
import type { TrialResult } from "../results/eval-results.ts";
import type { EvalOptions, TrialPlan } from "./eval-options.ts";
import { planTrials, trialKey } from "./plan-trials.ts";
import { runTrial } from "./run-trial.ts";
import { TrialDirectories } from "./trial-directories.ts";

const DEFAULT_CONCURRENCY = 4;

export async function runEvals(options: EvalOptions): Promise<readonly TrialResult[]> {
  const { done = [], concurrency = DEFAULT_CONCURRENCY, signal, stop, onResult } = options;
  const { keep = (result: TrialResult) => result } = options;
  const plans = planTrials(options);
  const known = new Map(done.map((result) => [keyOf(result), result]));
  const results = plans.map((plan) => known.get(planKey(plan)));
  known.clear();
  const waiting = plans.entries();
  const directories = new TrialDirectories(options.folder);
  const work = async () => {
    for (const [place, plan] of waiting) {
      if (results[place] !== undefined) continue;
      if (signal?.aborted === true || stop?.aborted === true) return;
      // A model that is a program answers at once: signals and clocks would wait for the last trial.
      await setImmediate();
      const result = await runTrial(plan, options, directories);
      if (result === undefined) return;
      results[place] = keep(result);
      onResult?.(result);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.max(1, concurrency) }, work));
  } finally {
    directories.close();
  }
  return results.filter((result) => result !== undefined);
}

function planKey({ evalCase, arm, trial }: TrialPlan): string {
  return trialKey(evalCase.id, arm.arm.name, trial);
}

function keyOf({ caseId, arm, trial }: TrialResult): string {
  return trialKey(caseId, arm, trial);
}
