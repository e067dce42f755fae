import type { TrajectoryStep } from "../trajectory/trajectory.ts";
import { alignPatterns } from "./align.ts";
import { alignmentText } from "./alignment-text.ts";
import type { ListConstraint } from "./constraint.ts";
import { type Evaluation, judged, ofAll } from "./evaluation.ts";
import { matchApart } from "./match-apart.ts";
import { matchSteps, matchWholeSteps } from "./match-step.ts";

type Steps = readonly TrajectoryStep[];

export function evaluateList({ mode, patterns }: ListConstraint, steps: Steps): Evaluation {
  if (mode === "only") return evaluateOnly(patterns, steps);
  // Who rules out all other steps rules out other skills that were selected in the same one.
  const isWhole = mode === "exactly" || mode === "exactly in any order";
  const table = patterns.map((pattern) =>
    isWhole ? matchWholeSteps([pattern], steps) : matchSteps(pattern, steps),
  );
  const show = (aligned: readonly number[]) => alignmentText({ patterns, steps, aligned, isWhole });
  switch (mode) {
    case "in any order":
    case "exactly in any order": {
      const aligned = matchApart(table);
      return withCredit(aligned, steps, isWhole, show(aligned));
    }
    case "exactly": {
      const aligned = alignPatterns(table, []);
      return withCredit(aligned, steps, true, show(aligned));
    }
    default: {
      const offset = mode === "starts with" ? 0 : steps.length - patterns.length;
      const aligned = patterns.map((_, i) => (table[i]?.[offset + i] === true ? offset + i : -1));
      const done = aligned.filter((step) => step !== -1).length;
      return judged(done === patterns.length, done / patterns.length, show(aligned));
    }
  }
}

function evaluateOnly(patterns: ListConstraint["patterns"], steps: Steps): Evaluation {
  const places = steps.map((_, place) => place);
  const expected = matchWholeSteps(patterns, steps);
  const others = places.filter((place) => expected[place] !== true);
  return ofAll(places, others, steps, "not expected");
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
