import { isDeepStrictEqual } from "node:util";
import { quoteLine } from "@skillwright/core/internal";
import {
  type Condition,
  type FieldTest,
  STEP_ACTIONS,
  type StepPattern,
  type StepWord,
} from "./parse-sequence.ts";

/** What was done: an action, what it was about, what it was called with, and what came back. */
export interface SequenceStep {
  readonly action: string;
  /** `pdf`, `pdf/scripts/fill.py`, `read_file`; of several skills selected at once, their names with `, ` between. */
  readonly subject: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly ok: boolean;
  readonly observation: string;
}

/** Separates a skill that ran in a context of its own from what was done there. */
export const CHILD_MARK = " > ";

/** The places in the steps where a pattern matches. */
export function placesOf(pattern: StepPattern, steps: readonly SequenceStep[]): number[] {
  return steps.flatMap((step, place) => (matchStep(pattern, step) ? [place] : []));
}

/** Of several skills that were selected at once, one has to meet the whole pattern. */
function matchStep({ word, subject, conditions }: StepPattern, step: SequenceStep): boolean {
  const action = STEP_ACTIONS[word];
  if (action !== undefined && action !== step.action) return false;
  return subjectsOf(step).some(
    (names) =>
      (subject === undefined || names.some((name) => matchGlob(subject, name))) &&
      conditions.every((condition) => holds(condition, step, names)),
  );
}

/** The subjects of a step, each with all its names: in full, and without the run it happened in. */
export function subjectsOf({ action, subject }: SequenceStep): readonly (readonly string[])[] {
  const own = subject.slice(ownStart(subject));
  const run = subject.slice(0, ownStart(subject));
  const each = action === "select_skills" ? own.split(", ") : [own];
  return each.map((name) => (run === "" ? [name] : [`${run}${name}`, name]));
}

function ownStart(subject: string): number {
  const at = subject.lastIndexOf(CHILD_MARK);
  return at === -1 ? 0 : at + CHILD_MARK.length;
}

/** `*` stands for any characters. Takes at most the product of the lengths. */
export function matchGlob(glob: string, text: string): boolean {
  let at = 0;
  let inGlob = 0;
  let star = -1;
  let starAt = 0;
  while (at < text.length) {
    if (glob[inGlob] === "*") {
      star = inGlob++;
      starAt = at;
    } else if (inGlob < glob.length && glob[inGlob] === text[at]) {
      inGlob++;
      at++;
    } else if (star >= 0) {
      inGlob = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (glob[inGlob] === "*") inGlob++;
  return inGlob === glob.length;
}

function holds(condition: Condition, step: SequenceStep, names: readonly string[]): boolean {
  if (condition.kind === "outcome") return step.ok === condition.ok;
  const { field, test, not } = condition;
  const values = field === "subject" ? names : [fieldOf(step, field)];
  return values.some((value) => valueHolds(value, test)) !== not;
}

function fieldOf(step: SequenceStep, field: string): unknown {
  if (field === "observation") return step.observation;
  let value: unknown = step.arguments;
  for (const key of field.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

function valueHolds(value: unknown, test: FieldTest): boolean {
  if (value === undefined) return false;
  if (test.operator === "=") {
    // A list equals the text that one would type: its parts with blanks between.
    const isTyped = Array.isArray(value) && typeof test.value === "string";
    return isDeepStrictEqual(isTyped ? value.map(String).join(" ") : value, test.value);
  }
  return textsIn(value).some((text) =>
    test.operator === "contains" ? text.includes(test.value) : test.pattern.test(text),
  );
}

/** Each part of a list; the JSON of anything that is not a text. */
function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return [typeof value === "string" ? value : (JSON.stringify(value) ?? "")];
}

const WORDS: ReadonlyMap<string | undefined, string> = new Map(
  (Object.keys(STEP_ACTIONS) as StepWord[]).map((word) => [STEP_ACTIONS[word], word]),
);

/** A step as the language writes it: `run pdf/scripts/fill.py (failed)`. */
export function stepText({ action, subject, ok }: SequenceStep): string {
  return `${WORDS.get(action) ?? action}${subject === "" ? "" : ` ${subject}`}${ok ? "" : " (failed)"}`;
}

/** `3. use read_file, 5. answer`: the first five of the places. */
export function stepList(steps: readonly SequenceStep[], places: readonly number[]): string {
  const shown = places.slice(0, 5).map((place) => {
    const step = steps[place];
    return `${place + 1}. ${step === undefined ? "" : quoteLine(stepText(step), 100)}`;
  });
  return [...shown, ...(places.length > 5 ? [`${places.length - 5} more`] : [])].join(", ");
}
