import type { TrajectoryStep } from "../trajectory/trajectory.ts";
import { stepList } from "./alignment-text.ts";
import type { StepPattern } from "./constraint.ts";
import { matchSteps } from "./match-step.ts";

export interface Evaluation {
  readonly passed: boolean;
  /** 1 when it passed; else the part that was done, always less than 1. */
  readonly score: number;
  readonly evidence: string;
}

/** A part of something is never all of it. */
export function judged(passed: boolean, part: number, evidence: string): Evaluation {
  return { passed, score: passed ? 1 : Math.min(Math.max(part, 0), 0.99), evidence };
}

/** Each of some steps has to be in order. */
export function ofAll(
  places: readonly number[],
  wrong: readonly number[],
  steps: readonly TrajectoryStep[],
  problem: string,
): Evaluation {
  const right = places.length - wrong.length;
  const evidence =
    wrong.length === 0
      ? `${right} of ${places.length} in order${right === 0 ? "" : `: ${stepList(steps, places)}`}`
      : `${problem}: ${stepList(steps, wrong)}`;
  return judged(wrong.length === 0, right / places.length, evidence);
}

/** Where a pattern matches. */
export function placesOf(pattern: StepPattern, steps: readonly TrajectoryStep[]): number[] {
  return matchSteps(pattern, steps).flatMap((matches, place) => (matches ? [place] : []));
}
