import { plural, quoteLine, truncate } from "@skillwright/core/internal";
import type { TrajectoryStep } from "../trajectory/trajectory.ts";
import type { StepPattern } from "./constraint.ts";
import { formatPattern } from "./format-sequence.ts";
import { stepText } from "./step-subject.ts";

interface Shown {
  readonly patterns: readonly StepPattern[];
  readonly steps: readonly TrajectoryStep[];
  /** The step of each pattern, or -1. */
  readonly aligned: readonly number[];
  /** A step that nobody asked for is wrong. */
  readonly isWhole: boolean;
}

const MAX_LINES = 60;
const MAX_WIDTH = 48;

/**
 * What was expected beside what was done: `=` where they meet, `-` for what was not done, `+` for what
 * was done too much; what was done between and may be is shown without a sign.
 */
export function alignmentText(shown: Shown): string {
  const rows = rowsOf(shown);
  const width = Math.max("expected".length, ...rows.map(([, expected]) => expected.length));
  const lines = rows.map(([sign, expected, done]) =>
    `${sign} ${expected.padEnd(width)} | ${done}`.trimEnd(),
  );
  return [`  ${"expected".padEnd(width)} | done`, ...shortened(lines)].join("\n");
}

/** `3. use read_file`, the first ones of many. */
export function stepList(steps: readonly TrajectoryStep[], places: readonly number[]): string {
  const shown = places.slice(0, 5).map((place) => numbered(steps, place));
  const more = places.length > 5 ? [`${places.length - 5} more`] : [];
  return [...shown, ...more].join(", ");
}

type Row = readonly [sign: "=" | "-" | "+" | " ", expected: string, done: string];

function rowsOf({ patterns, steps, aligned, isWhole }: Shown): Row[] {
  const rows: Row[] = [];
  const taken = new Map(aligned.map((step, pattern) => [step, pattern]));
  let next = 0;
  const addMissing = (end: number) => {
    for (; next < end; next++) {
      if (aligned[next] === -1) rows.push(["-", patternText(patterns[next]), ""]);
    }
  };
  for (let step = 0; step < steps.length; step++) {
    const pattern = taken.get(step);
    if (pattern === undefined) rows.push([isWhole ? "+" : " ", "", numbered(steps, step)]);
    else {
      addMissing(pattern);
      rows.push(["=", patternText(patterns[pattern]), numbered(steps, step)]);
    }
  }
  addMissing(patterns.length);
  return rows;
}

function patternText(pattern: StepPattern | undefined): string {
  return pattern === undefined ? "" : truncate(formatPattern(pattern), MAX_WIDTH);
}

function numbered(steps: readonly TrajectoryStep[], place: number): string {
  const step = steps[place];
  return `${place + 1}. ${step === undefined ? "" : quoteLine(stepText(step), 100)}`;
}

/** Of many lines those that say something; of the others only how many they are. */
function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_LINES) return lines;
  const telling = lines.filter((line) => !line.startsWith(" "));
  const shown = telling.slice(0, MAX_LINES);
  return [...shown, `  … ${plural(lines.length - shown.length, "more line")}`];
}
