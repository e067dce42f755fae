import type { Trajectory, TrajectoryStep } from "../trajectory/trajectory.ts";
import type {
  ChainConstraint,
  Constraint,
  CountConstraint,
  OrderConstraint,
  PrecedenceConstraint,
  ResponseConstraint,
} from "./constraint.ts";
import { alignPatterns } from "./align.ts";
import { alignmentText, stepList } from "./alignment-text.ts";
import { type Evaluation, judged, ofAll, placesOf } from "./evaluation.ts";
import { evaluateList } from "./evaluate-list.ts";
import { evaluateLoaded } from "./evaluate-loaded.ts";
import { formatPattern } from "./format-sequence.ts";
import { matchSteps } from "./match-step.ts";

/** Pure. Time grows with the steps, times the patterns of the constraint. */
export function evaluateConstraint(constraint: Constraint, trajectory: Trajectory): Evaluation {
  const { steps } = trajectory;
  switch (constraint.kind) {
    case "count":
      return evaluateCount(constraint, steps);
    case "order":
      return evaluateOrder(constraint, steps);
    case "chain":
      return evaluateChain(constraint, steps);
    case "response":
      return evaluateResponse(constraint, steps);
    case "precedence":
      return evaluatePrecedence(constraint, steps);
    case "loaded":
      return evaluateLoaded(constraint, trajectory);
    default:
      return evaluateList(constraint, steps);
  }
}

function evaluateCount(
  { least, most, pattern, scope }: CountConstraint,
  steps: readonly TrajectoryStep[],
): Evaluation {
  const first = scope === undefined ? -1 : (placesOf(scope.pattern, steps)[0] ?? -1);
  const isInside = (place: number) => {
    if (scope === undefined) return true;
    if (scope.side === "after") return first !== -1 && place > first;
    return first === -1 || place < first;
  };
  const places = placesOf(pattern, steps).filter(isInside);
  const count = places.length;
  const part = count < least ? count / least : most / count;
  const times = count === 1 ? "once" : `${count} times`;
  const evidence =
    count === 0
      ? `${formatPattern(pattern)}: not done in ${steps.length} steps`
      : `${formatPattern(pattern)}: done ${times}: ${stepList(steps, places)}`;
  return judged(count >= least && count <= most, part, evidence);
}

function evaluateOrder(
  { first, second }: OrderConstraint,
  steps: readonly TrajectoryStep[],
): Evaluation {
  const [before = -1] = placesOf(first, steps);
  const [after = -1] = placesOf(second, steps);
  const passed = before !== -1 && after !== -1 && before < after;
  const patterns = [first, second];
  const table = patterns.map((pattern) => matchSteps(pattern, steps));
  const aligned = passed ? [before, after] : alignPatterns(table, []);
  const done = aligned.filter((step) => step !== -1).length;
  const tooEarly = done === 2 && !passed;
  const note = tooEarly ? `too early: ${stepList(steps, [after])}\n` : "";
  const text = alignmentText({ patterns, steps, aligned, isWhole: false });
  return judged(passed, tooEarly ? 0.5 : done / 2, `${note}${text}`);
}

function evaluateChain(
  { start, links }: ChainConstraint,
  steps: readonly TrajectoryStep[],
): Evaluation {
  const patterns = [start, ...links.map(({ pattern }) => pattern)];
  const table = patterns.map((pattern) => matchSteps(pattern, steps));
  const gaps = links.map(({ gap }) => gap);
  const aligned = alignPatterns(table, gaps);
  const done = aligned.filter((step) => step !== -1).length;
  const evidence = alignmentText({ patterns, steps, aligned, isWhole: false });
  return judged(done === patterns.length, done / patterns.length, evidence);
}

function evaluateResponse(
  { cause, gap, effect }: ResponseConstraint,
  steps: readonly TrajectoryStep[],
): Evaluation {
  const causes = placesOf(cause, steps);
  const follows = matchSteps(effect, steps);
  const next: number[] = steps.map(() => Number.POSITIVE_INFINITY);
  for (let place = steps.length - 2; place >= 0; place--) {
    next[place] = follows[place + 1] ? place + 1 : (next[place + 1] ?? Number.POSITIVE_INFINITY);
  }
  const open = causes.filter((place) => {
    const after = next[place] ?? Number.POSITIVE_INFINITY;
    return after === Number.POSITIVE_INFINITY || after - place > gap;
  });
  return ofAll(causes, open, steps, `not followed by ${formatPattern(effect)}`);
}

function evaluatePrecedence(
  { pattern, gap, condition }: PrecedenceConstraint,
  steps: readonly TrajectoryStep[],
): Evaluation {
  const places = placesOf(pattern, steps);
  const conditions = matchSteps(condition, steps);
  let last = Number.NEGATIVE_INFINITY;
  const previous = steps.map((_, place) => {
    const before = last;
    if (conditions[place]) last = place;
    return before;
  });
  const open = places.filter((place) => {
    const before = previous[place] ?? Number.NEGATIVE_INFINITY;
    return before === Number.NEGATIVE_INFINITY || place - before > gap;
  });
  return ofAll(places, open, steps, `not after ${formatPattern(condition)}`);
}
