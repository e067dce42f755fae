import type { EvalOptions, TrialPlan } from "./eval-options.ts";

/** Every case in every arm that is for it, so often. The arms of a case stand side by side: what changes meanwhile hits both. */
export function planTrials({
  cases,
  arms,
  trials = 1,
}: Pick<EvalOptions, "cases" | "arms" | "trials">): TrialPlan[] {
  return cases.flatMap((evalCase) => {
    const own = arms.filter(({ isFor }) => isFor?.(evalCase) ?? true);
    return Array.from({ length: evalCase.trials ?? trials }, (_, index) =>
      own.map((arm) => ({ evalCase, arm, trial: index + 1 })),
    ).flat();
  });
}

/** The same for a plan and its result. */
export function trialKey(caseId: string, arm: string, trial: number): string {
  return JSON.stringify([caseId, arm, trial]);
}
