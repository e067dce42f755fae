import {
  type Condition,
  type FieldTest,
  RESERVED,
  STEP_ACTIONS,
  type StepChoice,
  type StepPattern,
  type StepWord,
} from "./constraint.ts";
import { compilePattern } from "../checks/check-text.ts";
import { type Scanner, SequenceProblem } from "./scanner.ts";

const WORDS = Object.keys(STEP_ACTIONS) as StepWord[];
const LONG_WORDS: ReadonlyMap<string, StepWord> = new Map(
  WORDS.map((word) => [STEP_ACTIONS[word] ?? "any", word]),
);
const FIELD = /^[A-Za-z_][\w-]*(?:\.[\w-]+)*$/;
const MAX_CHOICES = 32;

/** `run a/* or use b`, with or without parentheses around it. */
export function parsePattern(scanner: Scanner): StepPattern {
  if (scanner.trySign("(")) {
    const inner = parsePattern(scanner);
    if (scanner.trySign(")")) return inner;
    throw new SequenceProblem(
      `expected \`)\` instead of ${scanner.found()}`,
      scanner.column,
      "Parentheses hold steps; constraints are joined with `or else`.",
    );
  }
  const choices = [parseChoice(scanner)];
  while (!isOrElse(scanner) && scanner.tryWords("or")) {
    choices.push(parseChoice(scanner));
    if (choices.length > MAX_CHOICES) {
      throw new SequenceProblem(`more than ${MAX_CHOICES} choices`, scanner.column);
    }
  }
  return { choices };
}

/** Without reading it. */
function isOrElse(scanner: Scanner): boolean {
  return scanner.isNext("or", "else");
}

function parseChoice(scanner: Scanner): StepChoice {
  const { column } = scanner;
  const found = scanner.found();
  const written = scanner.tryWord();
  const word = WORDS.find((one) => one === written) ?? LONG_WORDS.get(written ?? "");
  if (word === undefined) {
    const message = `expected a step instead of ${found}`;
    throw new SequenceProblem(message, column, `A step begins with ${WORDS.join(", ")}.`);
  }
  const subject = parseSubject(scanner);
  const conditions = scanner.tryWords("where") ? parseConditions(scanner) : [];
  return { word, ...(subject !== undefined && { subject }), conditions };
}

function parseSubject(scanner: Scanner): string | undefined {
  const quoted = scanner.tryString();
  if (quoted !== undefined) return quoted;
  const next = scanner.peekWord();
  return next === undefined || RESERVED.has(next) ? undefined : scanner.tryWord();
}

function parseConditions(scanner: Scanner): Condition[] {
  const conditions = [parseCondition(scanner)];
  while (scanner.tryWords("and")) conditions.push(parseCondition(scanner));
  return conditions;
}

function parseCondition(scanner: Scanner): Condition {
  if (scanner.tryWords("ok")) return { kind: "outcome", ok: true };
  if (scanner.tryWords("failed")) return { kind: "outcome", ok: false };
  const not = scanner.tryWords("not");
  const { column } = scanner;
  const found = scanner.found();
  const field = scanner.tryWord() ?? "";
  if (!FIELD.test(field) || RESERVED.has(field)) {
    throw new SequenceProblem(
      `expected \`ok\`, \`failed\` or the name of an argument instead of ${found}`,
      column,
    );
  }
  const isUnequal = scanner.tryWords("!=");
  const test: FieldTest = isUnequal ? parseEquality(scanner) : parseTest(scanner);
  return { kind: "field", not: not !== isUnequal, field, test };
}

function parseTest(scanner: Scanner): FieldTest {
  if (scanner.tryWords("=")) return parseEquality(scanner);
  if (scanner.tryWords("contains")) {
    return { operator: "contains", value: parseText(scanner) };
  }
  if (scanner.tryWords("matches")) return parseMatch(scanner);
  throw new SequenceProblem(
    `expected \`=\`, \`!=\`, \`contains\` or \`matches\` instead of ${scanner.found()}`,
    scanner.column,
  );
}

function parseMatch(scanner: Scanner): FieldTest {
  const { column } = scanner;
  const regex = scanner.tryRegex();
  if (regex === undefined) {
    const message = `expected a regular expression such as /a+/i instead of ${scanner.found()}`;
    throw new SequenceProblem(message, column);
  }
  const compiled = compilePattern(regex.pattern, regex.flags);
  if (!compiled.ok) throw new SequenceProblem(compiled.message, column);
  return { operator: "matches", ...regex };
}

function parseText(scanner: Scanner): string {
  const quoted = scanner.tryString();
  const text = quoted ?? scanner.tryWord();
  if (text !== undefined) return text;
  throw new SequenceProblem(`expected a text instead of ${scanner.found()}`, scanner.column);
}

/** Numbers, `true`, `false` and `null` are what they are in JSON; any other word is a text. */
function parseEquality(scanner: Scanner): FieldTest {
  const quoted = scanner.tryString();
  if (quoted !== undefined) return { operator: "=", value: quoted };
  const word = parseText(scanner);
  if (word === "true" || word === "false") return { operator: "=", value: word === "true" };
  if (word === "null") return { operator: "=", value: null };
  const isNumber = /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,2})?$/i.test(word) && word.length <= 20;
  // There is no second zero in what people write.
  return { operator: "=", value: isNumber ? Number(word) + 0 : word };
}
