import type { Failure } from "@skillwright/core";

/**
 * The sequence language: what must, may and must not be done, one rule a line.
 *
 *     select pdf                            done at least once
 *     never use delete_file
 *     at most 2 run *
 *     exactly 1 run pdf/scripts/fill.py
 *     select pdf before run pdf/*           both are done, and the first `select` before the first `run`
 *     never run * before select pdf         of the steps before the first `select pdf`, none is a `run`
 *
 * A step is an action and its subject, `*` stands for any characters, and `where` looks at the arguments and the result:
 *
 *     run pdf/scripts/fill.py where args contains "--dry-run" and ok
 *     use write_file where input.path matches /\.md$/i
 *
 * docs/sequence-language.md is the reference.
 */
export type SequenceRule =
  | {
      readonly kind: "count";
      readonly least: number;
      /** Infinity: any number. */
      readonly most: number;
      readonly step: StepPattern;
      /** Only steps before the first that matches this count; all of them if none does. */
      readonly before?: StepPattern;
    }
  /** Each is done, and they are done for the first time in this order. */
  | { readonly kind: "order"; readonly steps: readonly StepPattern[] };

export interface StepPattern {
  readonly word: StepWord;
  /** With `*` for any characters. Undefined: any subject. */
  readonly subject?: string;
  /** All of them hold. */
  readonly conditions: readonly Condition[];
  /** As it is written in the line. */
  readonly text: string;
}

/** The words of the language and the actions they stand for. */
export const STEP_ACTIONS = {
  select: "select_skills",
  load: "load_resource",
  run: "run_script",
  use: "use_tool",
  answer: "final_answer",
  reject: "rejected",
  step: undefined,
} as const;

export type StepWord = keyof typeof STEP_ACTIONS;

export type Condition =
  | { readonly kind: "outcome"; readonly ok: boolean }
  | {
      readonly kind: "field";
      readonly not: boolean;
      /** `subject`, `observation`, or a path in the arguments: `args`, `input.path`, `skills.0.name`. */
      readonly field: string;
      readonly test: FieldTest;
    };

export type FieldTest =
  | { readonly operator: "="; readonly value: string | number | boolean | null }
  | { readonly operator: "contains"; readonly value: string }
  | { readonly operator: "matches"; readonly pattern: RegExp };

export type ParsedSequence = { readonly ok: true; readonly rule: SequenceRule } | SequenceFailure;

export interface SequenceFailure extends Failure<"sequence-invalid"> {
  /** Where in the line, from 1. */
  readonly column: number;
}

const LONGEST = 4000;
const MAX_STEPS = 64;
const WORDS = Object.keys(STEP_ACTIONS) as StepWord[];
/** A subject that is one of these stands in quotes. */
const RESERVED: ReadonlySet<string> = new Set(["and", "before", "where"]);
const FIELD = /^[A-Za-z_][\w-]*(?:\.[\w-]+)*$/;

/** Reads one line. */
export function parseSequence(line: string): ParsedSequence {
  try {
    if (line.length > LONGEST) {
      throw new SequenceProblem(`the line is longer than ${LONGEST} characters`, LONGEST + 1);
    }
    return { ok: true, rule: parseRule(new Scanner(line)) };
  } catch (error) {
    if (!(error instanceof SequenceProblem)) throw error;
    const { message, column, hint } = error;
    return {
      ok: false,
      code: "sequence-invalid",
      message,
      column,
      ...(hint !== undefined && { hint }),
    };
  }
}

function parseRule(scanner: Scanner): SequenceRule {
  const range = parseRange(scanner);
  const steps = [parseStep(scanner)];
  while (scanner.tryWords("before")) {
    steps.push(parseStep(scanner));
    if (steps.length > MAX_STEPS) throw scanner.problem(`more than ${MAX_STEPS} steps`);
    if (range !== undefined) break;
  }
  if (!scanner.isAtEnd()) {
    const hint = "A line holds one rule: [never | at most n | exactly n] step [before step].";
    throw scanner.problem(`did not expect ${scanner.found()} here`, hint);
  }
  const [step, before] = steps as [StepPattern, StepPattern?];
  if (range !== undefined) return { kind: "count", ...range, step, ...(before && { before }) };
  if (before !== undefined) return { kind: "order", steps };
  return { kind: "count", least: 1, most: Number.POSITIVE_INFINITY, step };
}

function parseRange(
  scanner: Scanner,
): { readonly least: number; readonly most: number } | undefined {
  if (scanner.tryWords("never")) return { least: 0, most: 0 };
  if (scanner.tryWords("at", "most")) return { least: 0, most: scanner.number() };
  if (!scanner.tryWords("exactly")) return undefined;
  const times = scanner.number();
  return { least: times, most: times };
}

function parseStep(scanner: Scanner): StepPattern {
  const { column } = scanner;
  const written = scanner.peekWord();
  const word = WORDS.find((one) => one === written || STEP_ACTIONS[one] === written);
  if (word === undefined || written === undefined) {
    const hint = `A step begins with ${WORDS.join(", ")}.`;
    throw scanner.problem(`expected a step instead of ${scanner.found()}`, hint);
  }
  scanner.tryWords(written);
  const next = scanner.peekWord();
  const isSubject = next !== undefined && !RESERVED.has(next);
  const subject = scanner.tryString() ?? (isSubject ? scanner.tryWord() : undefined);
  const conditions: Condition[] = [];
  if (scanner.tryWords("where")) {
    do conditions.push(parseCondition(scanner));
    while (scanner.tryWords("and"));
  }
  const text = scanner.textFrom(column);
  return { word, ...(subject !== undefined && { subject }), conditions, text };
}

function parseCondition(scanner: Scanner): Condition {
  if (scanner.tryWords("ok")) return { kind: "outcome", ok: true };
  if (scanner.tryWords("failed")) return { kind: "outcome", ok: false };
  const not = scanner.tryWords("not");
  const field = scanner.peekWord() ?? "";
  if (!FIELD.test(field) || RESERVED.has(field)) {
    const wanted = "`ok`, `failed` or the name of an argument";
    throw scanner.problem(`expected ${wanted} instead of ${scanner.found()}`);
  }
  scanner.tryWords(field);
  return { kind: "field", not, field, test: parseTest(scanner) };
}

function parseTest(scanner: Scanner): FieldTest {
  if (scanner.tryWords("=")) return { operator: "=", value: scanner.value() };
  if (scanner.tryWords("contains")) return { operator: "contains", value: scanner.text() };
  if (scanner.tryWords("matches")) return { operator: "matches", pattern: scanner.regex() };
  throw scanner.problem(
    `expected \`=\`, \`contains\` or \`matches\` instead of ${scanner.found()}`,
  );
}

/** Thrown by the scanner and the parser, and caught where parsing began. */
class SequenceProblem extends Error {
  readonly column: number;
  readonly hint: string | undefined;

  constructor(message: string, column: number, hint?: string) {
    super(message);
    this.column = column;
    this.hint = hint;
  }
}

const BLANKS = /\s*/y;
const WORD = /[^\s"]+/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const REGEX = /\/((?:[^/\\]|\\.)+)\/([a-z]*)(?=\s|$)/y;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,2})?$/i;

/** A line, and how far it was read. */
class Scanner {
  readonly #line: string;
  #at = 0;

  constructor(line: string) {
    this.#line = line;
  }

  /** Of what comes next, from 1. */
  get column(): number {
    BLANKS.lastIndex = this.#at;
    this.#at += BLANKS.exec(this.#line)?.[0].length ?? 0;
    return this.#at + 1;
  }

  isAtEnd(): boolean {
    return this.column > this.#line.length;
  }

  textFrom(column: number): string {
    return this.#line.slice(column - 1, this.#at).trim();
  }

  /** What comes next, for a message. */
  found(): string {
    if (this.isAtEnd()) return "the end of the line";
    const rest = this.#line.slice(this.#at);
    return `\`${/^[^\s"]+|^"[^"]*"?/.exec(rest)?.[0].slice(0, 40) ?? ""}\``;
  }

  problem(message: string, hint?: string): SequenceProblem {
    return new SequenceProblem(message, this.column, hint);
  }

  /** Reads these words if they come next, and otherwise nothing. */
  tryWords(...words: readonly string[]): boolean {
    const start = this.#at;
    const isThere = words.every((word) => this.#take(WORD)?.[0] === word);
    if (!isThere) this.#at = start;
    return isThere;
  }

  peekWord(): string | undefined {
    const start = this.#at;
    const word = this.tryWord();
    this.#at = start;
    return word;
  }

  tryWord(): string | undefined {
    return this.#take(WORD)?.[0];
  }

  tryString(): string | undefined {
    const { column } = this;
    if (this.#line.charAt(column - 1) !== '"') return undefined;
    const quoted = this.#take(STRING)?.[0];
    if (quoted === undefined) throw new SequenceProblem("the quotes are not closed", column);
    try {
      return JSON.parse(quoted) as string;
    } catch {
      throw new SequenceProblem("the text in quotes is not valid JSON", column);
    }
  }

  text(): string {
    const text = this.tryString() ?? this.tryWord();
    if (text === undefined) throw this.problem(`expected a text instead of ${this.found()}`);
    return text;
  }

  /** Numbers, `true`, `false` and `null` are what they are in JSON; any other word is a text. */
  value(): string | number | boolean | null {
    const quoted = this.tryString();
    if (quoted !== undefined) return quoted;
    const word = this.text();
    if (word === "true" || word === "false") return word === "true";
    if (word === "null") return null;
    // Adding 0 turns -0 into 0.
    return NUMBER.test(word) && word.length <= 20 ? Number(word) + 0 : word;
  }

  number(): number {
    const word = this.peekWord() ?? "";
    if (!/^\d{1,6}$/.test(word)) {
      throw this.problem(`expected a number instead of ${this.found()}`);
    }
    this.tryWord();
    return Number(word);
  }

  regex(): RegExp {
    const { column } = this;
    const match = this.#take(REGEX);
    if (match === null) {
      throw this.problem(
        `expected a regular expression such as /a+/i instead of ${this.found()}`,
        "It ends with / and its flags; a / inside it is written \\/.",
      );
    }
    const [, source = "", flags = ""] = match;
    if (/[^imsu]/.test(flags))
      throw new SequenceProblem(`the flags ${flags} are not i, m, s, u`, column);
    try {
      return new RegExp(source, flags);
    } catch (error) {
      throw new SequenceProblem(error instanceof Error ? error.message : "invalid", column);
    }
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.column - 1;
    const match = pattern.exec(this.#line);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }
}
