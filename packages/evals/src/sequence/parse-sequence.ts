import type {
  Constraint,
  ListMode,
  RuleAlternative,
  SequenceRule,
  StepPattern,
} from "./constraint.ts";
import { parsePattern } from "./parse-pattern.ts";
import { Scanner, type SequenceFailure, SequenceProblem } from "./scanner.ts";

export type ParsedSequence = { readonly ok: true; readonly rule: SequenceRule } | SequenceFailure;

const LONGEST = 4000;
const MAX_STEPS = 64;

const LISTS: readonly ListMode[] = [
  "in any order",
  "exactly in any order",
  "exactly",
  "starts with",
  "ends with",
  "only",
];

/** Reads one line of the language that `constraint.ts` describes. */
export function parseSequence(line: string): ParsedSequence {
  try {
    if (line.length > LONGEST) {
      throw new SequenceProblem(`the line is longer than ${LONGEST} characters`, LONGEST + 1);
    }
    return { ok: true, rule: parseRule(new Scanner(line)) };
  } catch (error) {
    if (error instanceof SequenceProblem) return error.failure;
    throw error;
  }
}

function parseRule(scanner: Scanner): SequenceRule {
  const alternatives = [parseAlternative(scanner)];
  while (scanner.tryWords("or", "else")) alternatives.push(parseAlternative(scanner));
  if (scanner.isAtEnd()) return { alternatives };
  const hint = "One line holds one constraint; `or else` gives another choice.";
  throw new SequenceProblem(`did not expect ${scanner.found()} here`, scanner.column, hint);
}

function parseAlternative(scanner: Scanner): RuleAlternative {
  const not = scanner.tryWords("not");
  return { not, constraint: parseConstraint(scanner) };
}

function parseConstraint(scanner: Scanner): Constraint {
  if (scanner.tryHeading("in order")) return chainOf(parseList(scanner), scanner);
  for (const mode of LISTS) {
    if (scanner.tryHeading(mode)) return { kind: "list", mode, patterns: parseList(scanner) };
  }
  const range = parseRange(scanner);
  if (range !== undefined) return parseCount(scanner, range);
  if (scanner.tryWords("every")) return parseResponse(scanner);
  return parseRelation(scanner, parsePattern(scanner));
}

type Range = Readonly<Record<"least" | "most", number>>;

/** `never`, `at most 2`, …; undefined when nothing is said of how often. */
function parseRange(scanner: Scanner): Range | undefined {
  if (scanner.tryWords("never")) return { least: 0, most: 0 };
  if (scanner.tryWords("at", "most")) return { least: 0, most: parseNumber(scanner) };
  if (scanner.tryWords("at", "least")) {
    return { least: parseNumber(scanner), most: Number.POSITIVE_INFINITY };
  }
  if (scanner.tryWords("exactly")) {
    const times = parseNumber(scanner);
    return { least: times, most: times };
  }
  if (!scanner.tryWords("between")) return undefined;
  const { column } = scanner;
  const least = parseNumber(scanner);
  expectWords(scanner, "and");
  const most = parseNumber(scanner);
  if (least <= most) return { least, most };
  throw new SequenceProblem(`${least} is more than ${most}`, column);
}

function parseCount(scanner: Scanner, range: Range): Constraint {
  const pattern = parsePattern(scanner);
  const side = (["before", "after"] as const).find((word) => scanner.tryWords(word));
  const scope = side === undefined ? {} : { scope: { side, pattern: parsePattern(scanner) } };
  return { kind: "count", ...range, pattern, ...scope };
}

function parseResponse(scanner: Scanner): Constraint {
  const cause = parsePattern(scanner);
  expectWords(scanner, "then");
  const gap = parseGap(scanner);
  return { kind: "response", cause, gap, effect: parsePattern(scanner) };
}

function parseRelation(scanner: Scanner, pattern: StepPattern): Constraint {
  if (scanner.tryWords("before")) {
    return { kind: "order", first: pattern, second: parsePattern(scanner) };
  }
  if (scanner.tryWords("after")) {
    return { kind: "order", first: parsePattern(scanner), second: pattern };
  }
  if (scanner.tryWords("only", "if", "loaded")) return { kind: "loaded", pattern };
  if (scanner.tryWords("only")) {
    const gap = parseGap(scanner);
    expectWords(scanner, "after");
    return { kind: "precedence", pattern, gap, condition: parsePattern(scanner) };
  }
  const gap = parseGap(scanner);
  if (gap !== Number.POSITIVE_INFINITY) return parseNear(scanner, pattern, gap);
  const links: { gap: number; pattern: StepPattern }[] = [];
  while (scanner.tryWords("then")) {
    links.push({ gap: parseGap(scanner), pattern: parsePattern(scanner) });
  }
  if (links.length >= MAX_STEPS) {
    throw new SequenceProblem(`more than ${MAX_STEPS} steps`, scanner.column);
  }
  if (links.length > 0) return { kind: "chain", start: pattern, links };
  return { kind: "count", least: 1, most: Number.POSITIVE_INFINITY, pattern };
}

/** `b immediately after a`, `b within 3 steps before a`. */
function parseNear(scanner: Scanner, pattern: StepPattern, gap: number): Constraint {
  if (scanner.tryWords("before")) {
    return { kind: "chain", start: pattern, links: [{ gap, pattern: parsePattern(scanner) }] };
  }
  expectWords(scanner, "after");
  return { kind: "chain", start: parsePattern(scanner), links: [{ gap, pattern }] };
}

/** How many steps further at most; without a word about it, any number. */
function parseGap(scanner: Scanner): number {
  if (scanner.tryWords("immediately")) return 1;
  if (!scanner.tryWords("within")) return Number.POSITIVE_INFINITY;
  const { column } = scanner;
  const gap = parseNumber(scanner);
  if (gap === 0) throw new SequenceProblem("nothing is done within 0 steps", column);
  if (!scanner.tryWords("steps") && !scanner.tryWords("step")) expectWords(scanner, "steps");
  return gap;
}

function parseList(scanner: Scanner): StepPattern[] {
  const patterns = [parsePattern(scanner)];
  while (scanner.trySign(",")) patterns.push(parsePattern(scanner));
  if (patterns.length <= MAX_STEPS) return patterns;
  throw new SequenceProblem(`more than ${MAX_STEPS} steps`, scanner.column);
}

function chainOf([start, ...rest]: readonly StepPattern[], scanner: Scanner): Constraint {
  if (start === undefined) throw new SequenceProblem("expected a step", scanner.column);
  const links = rest.map((pattern) => ({ gap: Number.POSITIVE_INFINITY, pattern }));
  return links.length > 0
    ? { kind: "chain", start, links }
    : { kind: "count", least: 1, most: Number.POSITIVE_INFINITY, pattern: start };
}

function parseNumber(scanner: Scanner): number {
  const number = scanner.tryNumber();
  if (number !== undefined) return number;
  throw new SequenceProblem(`expected a number instead of ${scanner.found()}`, scanner.column);
}

function expectWords(scanner: Scanner, ...words: readonly string[]): void {
  if (scanner.tryWords(...words)) return;
  const message = `expected \`${words.join(" ")}\` instead of ${scanner.found()}`;
  throw new SequenceProblem(message, scanner.column);
}
