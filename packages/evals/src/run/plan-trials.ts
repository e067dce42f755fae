import type { EvalOptions, TrialPlan } from "./eval-options.ts";

/** Every case in every arm, so often. The arms of a case stand side by side: what changes meanwhile hits both. */
export function planTrials({
  cases,
  arms,
  trials = 1,
}: Pick<EvalOptions, "cases" | "arms" | "trials">): TrialPlan[] {
  return cases.flatMap((evalCase) =>
    Array.from({ length: evalCase.trials ?? trials }, (_, index) =>
      arms.map((arm) => ({ evalCase, arm, trial: index + 1 })),
    ).flat(),
  );
}

/** The same for a plan and its result. */
export function trialKey(caseId: string, arm: string, trial: number): string {
  return JSON.stringify([caseId, arm, trial]);
}
