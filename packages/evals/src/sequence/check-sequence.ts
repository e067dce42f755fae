import type { Failure } from "@skillwright/core";
import { withinTime } from "../checks/check-verdict.ts";
import type { Trajectory } from "../trajectory/trajectory.ts";
import type { SequenceRule } from "./constraint.ts";
import { evaluateConstraint } from "./evaluate-constraint.ts";
import { type Evaluation, judged } from "./evaluation.ts";
import { parseSequence } from "./parse-sequence.ts";

export type SequenceCheck =
  | (Evaluation & { readonly ok: true })
  | Failure<"sequence-invalid" | "sequence-undecided">;

/** What a trajectory may have to be judged at all. */
const MAX_STEPS = 100_000;
const MAX_MILLISECONDS = 2000;
/** Slow enough for the longest lists on a busy machine. */
const STEPS_PER_MILLISECOND = 2;
/** So few are looked at in no time, while starting a clock takes longer than all the rest of a trial. */
const FEW_STEPS = 64;
/** The only thing in a line that could run away over a few steps. */
const EXPRESSION = /\bmatches\b/;

/** Whether a line of the constraint language holds for what was done. */
export function checkSequence(line: string, trajectory: Trajectory): SequenceCheck {
  const parsed = parseSequence(line);
  if (!parsed.ok) {
    const { message, column, hint } = parsed;
    const more = hint === undefined ? {} : { hint };
    return {
      ok: false,
      code: "sequence-invalid",
      message: `column ${column}: ${message}`,
      ...more,
    };
  }
  if (trajectory.steps.length > MAX_STEPS) {
    return undecided(`there are more than ${MAX_STEPS} steps`);
  }
  if (trajectory.steps.length <= FEW_STEPS && !EXPRESSION.test(line)) {
    return { ok: true, ...evaluateRule(parsed.rule, trajectory) };
  }
  const most = MAX_MILLISECONDS + trajectory.steps.length / STEPS_PER_MILLISECOND;
  const evaluated = withinTime(() => evaluateRule(parsed.rule, trajectory), Math.ceil(most));
  return evaluated.ok ? { ok: true, ...evaluated.value } : undecided(evaluated.message);
}

/** The best of its alternatives. */
export function evaluateRule({ alternatives }: SequenceRule, trajectory: Trajectory): Evaluation {
  const evaluations = alternatives.map(({ not, constraint }) => {
    const evaluation = evaluateConstraint(constraint, trajectory);
    return not ? judged(!evaluation.passed, 0, evaluation.evidence) : evaluation;
  });
  return evaluations.reduce((best, one) => (one.score > best.score ? one : best));
}

function undecided(message: string): Failure<"sequence-undecided"> {
  return { ok: false, code: "sequence-undecided", message };
}
