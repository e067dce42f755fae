import type { Failure } from "@skillwright/core";
import type { OutputCheckKind } from "../cases/eval-case.ts";
import {
  around,
  type CheckVerdict,
  decided,
  shown,
  type Timed,
  undecided,
  withinTime,
} from "./check-verdict.ts";

type CompiledPattern = { readonly ok: true; readonly pattern: RegExp } | Failure<"pattern-invalid">;

/** What it matched and captured first; null when it did not. */
type PatternMatch = Timed<readonly (string | undefined)[] | null>;

const LONGEST = 4000;
/** Without repetition nothing can run away, and starting the clock takes longer than the match. */
const REPEATS = /[*+{]|\\[1-9k]/;
const INLINE_FLAGS = /^\(\?([ims]+)\)/;

/** With the flags of JavaScript. `(?i)` at its beginning, as other dialects write it, is understood. */
export function compilePattern(source: string, flags = ""): CompiledPattern {
  if (source.length > LONGEST) {
    return invalid(`the pattern is longer than ${LONGEST} characters`);
  }
  const inline = INLINE_FLAGS.exec(source);
  const rest = source.slice(inline?.[0].length ?? 0);
  // What remembers a place between two matches would make the second one differ.
  const all = [...new Set(`${flags}${inline?.[1] ?? ""}`.replaceAll(/[gy]/g, ""))].join("");
  try {
    return { ok: true, pattern: new RegExp(rest, all) };
  } catch (error) {
    return invalid(error instanceof Error ? error.message : "the pattern cannot be read");
  }
}

function matchPattern(pattern: RegExp, text: string): PatternMatch {
  if (!REPEATS.test(pattern.source)) return { ok: true, value: pattern.exec(text) };
  return withinTime(() => pattern.exec(text));
}

function invalid(message: string): Failure<"pattern-invalid"> {
  return { ok: false, code: "pattern-invalid", message };
}

type Of<Type> = Extract<OutputCheckKind, { type: Type }>;

/** Behind a digit, a unit or a letter a dash is no sign: `10-20`, `5%-10%`, `2026-11-16`, `GPT-4`. */
const NUMBER =
  /(?:(?<![\p{L}\p{N}%‰°])[-+−])?(?:\d{1,3}(?:[,\u00A0\u202F’']\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?:e[-+−]?\d{1,3})?/giu;
const MAX_NUMBERS = 10_000;

export function checkContains({ value, ignoreCase }: Of<"contains">, text: string): CheckVerdict {
  const fold = (one: string) => (ignoreCase === true ? one.toLowerCase() : one);
  const at = fold(text).indexOf(fold(value));
  return at === -1
    ? decided(false, `it is not in ${shown(text)}`)
    : decided(true, around(text, at, at + value.length));
}

/** Blanks and line ends around a text are nobody's business. */
export function checkEquals({ value }: Of<"equals">, text: string): CheckVerdict {
  const plain = (one: string) => one.replaceAll("\r\n", "\n").trim();
  return decided(plain(text) === plain(value), `it is ${shown(text)}`);
}

export function checkRegex({ pattern, flags = "" }: Of<"regex">, text: string): CheckVerdict {
  const compiled = compilePattern(pattern, flags);
  if (!compiled.ok) return undecided(compiled.message);
  const match = matchPattern(compiled.pattern, text);
  if (!match.ok) return undecided(match.message);
  return match.value === null
    ? decided(false, `it does not match ${shown(text)}`)
    : decided(true, `it matches ${shown(match.value[0] ?? "")}`);
}

/** With a pattern, the first number in what it captured; without one, any number of the text. */
export function checkNumber(check: Of<"number">, text: string): CheckVerdict {
  const { value, tolerance, pattern } = check;
  if (pattern === undefined) return nearest(numbersIn(text), value, tolerance);
  const compiled = compilePattern(pattern);
  if (!compiled.ok) return undecided(compiled.message);
  const match = matchPattern(compiled.pattern, text);
  if (!match.ok) return undecided(match.message);
  if (match.value === null) return decided(false, `nothing matches in ${shown(text)}`);
  const captured = match.value.slice(1).find((one) => one !== undefined) ?? match.value[0] ?? "";
  return nearest(numbersIn(captured).slice(0, 1), value, tolerance);
}

function nearest(numbers: readonly number[], value: number, tolerance: number): CheckVerdict {
  if (numbers.length === 0) return decided(false, "there is no number");
  const best = numbers.reduce((a, b) => (Math.abs(b - value) < Math.abs(a - value) ? b : a));
  // A difference that is only that of binary fractions is none.
  const slack = Math.max(Math.abs(value), Math.abs(best)) * 4 * Number.EPSILON;
  return decided(Math.abs(best - value) <= tolerance + slack, `the nearest number is ${best}`);
}

function numbersIn(text: string): number[] {
  const numbers: number[] = [];
  for (const [written] of text.matchAll(NUMBER)) {
    const plain = written.replaceAll(/[,\u00A0\u202F’']/g, "").replaceAll("−", "-");
    numbers.push(Number(plain));
    if (numbers.length >= MAX_NUMBERS) break;
  }
  return numbers.filter((number) => Number.isFinite(number));
}
