import {
  type Condition,
  type Constraint,
  RESERVED,
  type SequenceRule,
  type StepChoice,
  type StepPattern,
} from "./constraint.ts";

/** The line that is read as this rule. */
export function formatSequence({ alternatives }: SequenceRule): string {
  const texts = alternatives.map(
    ({ not, constraint }) => `${not ? "not " : ""}${formatConstraint(constraint)}`,
  );
  return texts.join(" or else ");
}

export function formatPattern({ choices }: StepPattern): string {
  return choices.map(formatChoice).join(" or ");
}

function formatConstraint(constraint: Constraint): string {
  switch (constraint.kind) {
    case "count": {
      const { pattern, scope } = constraint;
      const end = scope === undefined ? "" : ` ${scope.side} ${formatPattern(scope.pattern)}`;
      return `${formatRange(constraint)} ${formatPattern(pattern)}${end}`;
    }
    case "order":
      return `${formatPattern(constraint.first)} before ${formatPattern(constraint.second)}`;
    case "chain": {
      const links = constraint.links.map(
        ({ gap, pattern }) => ` then ${formatGap(gap)}${formatPattern(pattern)}`,
      );
      return `${formatPattern(constraint.start)}${links.join("")}`;
    }
    case "response": {
      const { cause, gap, effect } = constraint;
      return `every ${formatPattern(cause)} then ${formatGap(gap)}${formatPattern(effect)}`;
    }
    case "precedence": {
      const { pattern, gap, condition } = constraint;
      return `${formatPattern(pattern)} only ${formatGap(gap)}after ${formatPattern(condition)}`;
    }
    case "loaded":
      return `${formatPattern(constraint.pattern)} only if loaded`;
    default:
      return `${constraint.mode}: ${constraint.patterns.map(formatPattern).join(", ")}`;
  }
}

function formatRange({ least, most }: { readonly least: number; readonly most: number }): string {
  if (most === 0) return "never";
  if (most === Number.POSITIVE_INFINITY) return `at least ${least}`;
  if (least === most) return `exactly ${most}`;
  return least === 0 ? `at most ${most}` : `between ${least} and ${most}`;
}

function formatGap(gap: number): string {
  if (gap === Number.POSITIVE_INFINITY) return "";
  return gap === 1 ? "immediately " : `within ${gap} steps `;
}

function formatChoice({ word, subject, conditions }: StepChoice): string {
  const about = subject === undefined ? "" : ` ${formatSubject(subject)}`;
  const where =
    conditions.length === 0 ? "" : ` where ${conditions.map(formatCondition).join(" and ")}`;
  return `${word}${about}${where}`;
}

function formatSubject(subject: string): string {
  const isPlain = /^[^\s(),":]+$/.test(subject) && !RESERVED.has(subject);
  return isPlain ? subject : JSON.stringify(subject);
}

function formatCondition(condition: Condition): string {
  if (condition.kind === "outcome") return condition.ok ? "ok" : "failed";
  const { not, field, test } = condition;
  const value =
    test.operator === "matches" ? `/${test.pattern}/${test.flags}` : JSON.stringify(test.value);
  return `${not ? "not " : ""}${field} ${test.operator} ${value}`;
}
