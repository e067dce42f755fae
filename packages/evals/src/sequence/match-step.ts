import { isDeepStrictEqual } from "node:util";
import { compilePattern } from "../checks/check-text.ts";
import type { TrajectoryStep } from "../trajectory/trajectory.ts";
import {
  type Condition,
  type FieldCondition,
  type FieldTest,
  STEP_ACTIONS,
  type StepChoice,
  type StepPattern,
} from "./constraint.ts";
import { subjectNamesOf, subjectsOf } from "./step-subject.ts";

/** Whether a step is what the pattern says. A regular expression may run away: bound the time outside. */
function matchStep({ choices }: StepPattern, step: TrajectoryStep): boolean {
  return choices.some((choice) => matchChoice(choice, step));
}

/** Where in the steps it matches. */
export function matchSteps(
  pattern: StepPattern,
  steps: readonly TrajectoryStep[],
): readonly boolean[] {
  return steps.map((step) => matchStep(pattern, step));
}

/** Where each of what a step is about is one of these: of several skills selected at once, all. */
export function matchWholeSteps(
  patterns: readonly StepPattern[],
  steps: readonly TrajectoryStep[],
): readonly boolean[] {
  const choices = patterns.flatMap((pattern) => pattern.choices);
  return steps.map((step) => {
    const possible = choices.filter((choice) => isOfAction(choice, step));
    return subjectNamesOf(step).every((names) =>
      possible.some((choice) => matchSubject(choice, step, names)),
    );
  });
}

function matchChoice(choice: StepChoice, step: TrajectoryStep): boolean {
  if (!isOfAction(choice, step)) return false;
  return subjectNamesOf(step).some((names) => matchSubject(choice, step, names));
}

function isOfAction({ word }: StepChoice, step: TrajectoryStep): boolean {
  const action = STEP_ACTIONS[word];
  return action === undefined || action === step.action;
}

/** `names` are those of the one subject that is looked at. */
function matchSubject(
  { subject, conditions }: StepChoice,
  step: TrajectoryStep,
  names: readonly string[],
): boolean {
  const isCalled =
    subject === undefined || called(names, step, subject).some((one) => matchGlob(subject, one));
  return isCalled && conditions.every((condition) => holds(condition, step, names));
}

/** All names of one subject. Who writes a comma means several that were selected at once. */
function called(names: readonly string[], step: TrajectoryStep, text: string): readonly string[] {
  return text.includes(", ") ? subjectsOf(step) : names;
}

/** `*` stands for any characters. Linear for one star, and never worse than the product of the lengths. */
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

/** `names` are those of the one subject that is looked at. */
function holds(condition: Condition, step: TrajectoryStep, names: readonly string[]): boolean {
  if (condition.kind === "outcome") return step.ok === condition.ok;
  return fieldHolds(condition, step, names) !== condition.not;
}

function fieldHolds(
  { field, test }: FieldCondition,
  step: TrajectoryStep,
  names: readonly string[],
): boolean {
  if (field === "subject") {
    const said = test.operator === "matches" ? test.pattern : String(test.value);
    return called(names, step, said).some((name) => valueHolds(name, test));
  }
  return valueHolds(fieldOf(step, field), test);
}

function valueHolds(value: unknown, test: FieldTest): boolean {
  if (value === undefined) return false;
  if (test.operator === "=") return isEqual(value, test.value);
  const texts = textsIn(value);
  if (test.operator === "contains") return texts.some((text) => text.includes(test.value));
  return texts.some((text) => patternOf(test).test(text));
}

const compiledPatterns = new WeakMap<FieldTest, RegExp>();

function patternOf(test: Extract<FieldTest, { operator: "matches" }>): RegExp {
  const known = compiledPatterns.get(test);
  if (known !== undefined) return known;
  const compiled = compilePattern(test.pattern, test.flags);
  if (!compiled.ok) throw new TypeError(compiled.message);
  compiledPatterns.set(test, compiled.pattern);
  return compiled.pattern;
}

function fieldOf(step: TrajectoryStep, field: string): unknown {
  if (field === "observation") return step.observation;
  const keys = field.split(".");
  if (keys[0] === "arguments") keys.shift();
  let value: unknown = step.arguments;
  for (const key of keys) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

/** A list equals the text of its parts with blanks between, as one would type it. */
function isEqual(value: unknown, expected: unknown): boolean {
  if (Array.isArray(value) && typeof expected === "string") {
    return value.map(String).join(" ") === expected;
  }
  return isDeepStrictEqual(value, expected);
}

/** What is looked into: each part of a list, and the JSON of anything that is no plain value. */
function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return [typeof value === "string" ? value : (JSON.stringify(value) ?? "")];
}
