import type { TrajectoryStep } from "../trajectory/trajectory.ts";
import { alignPatterns } from "./align.ts";
import { alignmentText } from "./alignment-text.ts";
import type { ListConstraint } from "./constraint.ts";
import { type Evaluation, judged, ofAll } from "./evaluation.ts";
import { matchApart } from "./match-apart.ts";
import { matchSteps } from "./match-step.ts";

type Steps = readonly TrajectoryStep[];

export function evaluateList({ mode, patterns }: ListConstraint, steps: Steps): Evaluation {
  const table = patterns.map((pattern) => matchSteps(pattern, steps));
  const show = (aligned: readonly number[], isWhole: boolean) =>
    alignmentText({ patterns, steps, aligned, isWhole });
  switch (mode) {
    case "only": {
      const places = steps.map((_, place) => place);
      const others = places.filter((place) => !table.some((row) => row[place]));
      return ofAll(places, others, steps, "not expected");
    }
    case "in any order":
    case "exactly in any order": {
      const isWhole = mode === "exactly in any order";
      const aligned = matchApart(table);
      return withCredit(aligned, steps, isWhole, show(aligned, isWhole));
    }
    case "exactly": {
      const aligned = alignPatterns(table, []);
      return withCredit(aligned, steps, true, show(aligned, true));
    }
    default: {
      const offset = mode === "starts with" ? 0 : steps.length - patterns.length;
      const aligned = patterns.map((_, i) => (table[i]?.[offset + i] === true ? offset + i : -1));
      const done = aligned.filter((step) => step !== -1).length;
      return judged(done === patterns.length, done / patterns.length, show(aligned, false));
    }
  }
}

/** Of a whole, what was done too much counts as what was not done. */
function withCredit(
  aligned: readonly number[],
  steps: Steps,
  isWhole: boolean,
  evidence: string,
): Evaluation {
  const done = aligned.filter((step) => step !== -1).length;
  if (!isWhole) return judged(done === aligned.length, done / aligned.length, evidence);
  const passed = done === aligned.length && done === steps.length;
  return judged(passed, (2 * done) / (aligned.length + steps.length), evidence);
}
