import type { EvalCase, OutputCheck } from "../cases/eval-case.ts";
import type { Arm, TrialResult } from "../results/eval-results.ts";
import { trialKey } from "./trial-job.ts";

export interface PairAnswersOptions {
  readonly cases: readonly EvalCase[];
  /** The first one is the one that is tested. */
  readonly arms: readonly Arm["name"][];
  readonly trials: readonly TrialResult[];
}

/** One request, answered in the arm that is tested and in another one. */
export interface AnswerPair {
  readonly evalCase: EvalCase;
  readonly trial: number;
  readonly other: Arm["name"];
  readonly tested: TrialResult;
  readonly against: TrialResult;
}

/** All that a judge can compare, in the order of the plan. A trial that is an error says nothing about any arm. */
export function pairAnswers({ cases, arms, trials }: PairAnswersOptions): AnswerPair[] {
  const [first, ...others] = arms;
  if (first === undefined) return [];
  const told = trials.filter(({ outcome }) => outcome !== "error");
  const known = new Map(told.map((one) => [trialKey(one), one]));
  const numbers = new Map<string, number[]>();
  for (const { caseId, arm, trial } of told) {
    if (arm === first) numbers.set(caseId, [...(numbers.get(caseId) ?? []), trial]);
  }
  return cases.filter(isComparable).flatMap((evalCase) =>
    (numbers.get(evalCase.id) ?? [])
      .toSorted((a, b) => a - b)
      .flatMap((trial) =>
        others.flatMap((other) => {
          const tested = known.get(trialKey({ caseId: evalCase.id, arm: first, trial }));
          const against = known.get(trialKey({ caseId: evalCase.id, arm: other, trial }));
          return tested && against ? [{ evalCase, trial, other, tested, against }] : [];
        }),
      ),
  );
}

/**
 * Whether a case says anything about the answer. What only asks for the selection, or for files, is not compared by what
 * was said; where actions are given, nobody decided anything.
 */
function isComparable({ expected, mock }: EvalCase): boolean {
  if (mock !== undefined) return false;
  return expected.statements.length > 0 || expected.output.some(isAboutAnswer);
}

function isAboutAnswer(check: OutputCheck): boolean {
  switch (check.type) {
    case "contains":
    case "equals":
    case "regex":
    case "number":
      return true;
    case "json-schema":
    case "json-path":
      return check.file === undefined;
    default:
      return false;
  }
}
