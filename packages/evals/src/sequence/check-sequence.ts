import { truncate } from "@skillwright/core/internal";
import { placesOf, type SequenceStep, stepList } from "./match-steps.ts";
import {
  parseSequence,
  type SequenceFailure,
  type SequenceRule,
  type StepPattern,
} from "./parse-sequence.ts";

export type SequenceCheck = (Evaluation & { readonly ok: true }) | SequenceFailure;

interface Evaluation {
  readonly passed: boolean;
  /** 1 when it passed; otherwise the part that was done, always less than 1. */
  readonly score: number;
  readonly evidence: string;
}

/**
 * Whether a line of the language holds for what was done. Takes time in proportion to the steps, except that a
 * regular expression in the line may run away: bound the time where `canRunAway` says so.
 */
export function checkSequence(line: string, steps: readonly SequenceStep[]): SequenceCheck {
  const parsed = parseSequence(line);
  if (!parsed.ok) return { ...parsed, message: `column ${parsed.column}: ${parsed.message}` };
  const { rule } = parsed;
  return { ok: true, ...(rule.kind === "order" ? inOrder(rule, steps) : counted(rule, steps)) };
}

export function canRunAway(line: string): boolean {
  return /\bmatches\b/.test(line);
}

function counted(
  { least, most, step, before }: Extract<SequenceRule, { kind: "count" }>,
  steps: readonly SequenceStep[],
): Evaluation {
  const end = before === undefined ? undefined : placesOf(before, steps)[0];
  const looked = steps.slice(0, end);
  const places = placesOf(step, looked);
  const count = places.length;
  const times = count === 1 ? "once" : `${count} times`;
  const evidence =
    count === 0
      ? `${shown(step)}: not done in ${looked.length} steps`
      : `${shown(step)}: done ${times}: ${stepList(steps, places)}`;
  const part = count < least ? count / least : most / count;
  return evaluation(count >= least && count <= most, part, evidence);
}

function inOrder(
  { steps: wanted }: Extract<SequenceRule, { kind: "order" }>,
  steps: readonly SequenceStep[],
): Evaluation {
  let last = -1;
  let inPlace = 0;
  const lines = wanted.map((step) => {
    const [first] = placesOf(step, steps);
    if (first === undefined) return `${shown(step)}: not done`;
    const isInPlace = first > last;
    if (isInPlace) inPlace++;
    last = Math.max(last, first);
    return `${shown(step)}: ${isInPlace ? "" : "too early, "}first ${stepList(steps, [first])}`;
  });
  return evaluation(inPlace === wanted.length, inPlace / wanted.length, lines.join("\n"));
}

function evaluation(passed: boolean, part: number, evidence: string): Evaluation {
  return { passed, score: passed ? 1 : Math.min(part, 0.99), evidence };
}

function shown({ text }: StepPattern): string {
  return truncate(text, 100);
}
