import type { Failure } from "@skillwright/core";
import type { Model, ModelView } from "../model.ts";
import { jsonModel } from "./json-model.ts";
import type { Rule, RuleStep } from "./mock-files.ts";

interface RulesModelOptions {
  /** As it stands in the record. Default: `mock:rules`. */
  readonly id?: string;
}

type RulesModelResult = { readonly ok: true; readonly model: Model } | Failure<"rule-invalid">;

type Find = (text: string) => RegExpExecArray | null;

interface ReadyRule {
  readonly find: Find;
  readonly steps: readonly { readonly step: RuleStep; readonly after: Find | undefined }[];
}

/** Decides by rules over the request: the first that matches, its steps in turn. */
export function createRulesModel(
  rules: readonly Rule[],
  { id = "mock:rules" }: RulesModelOptions = {},
): RulesModelResult {
  const ready: ReadyRule[] = [];
  for (const [i, { pattern, flags, steps }] of rules.entries()) {
    const compiled = boundedPattern(pattern, flags);
    if (!compiled.ok) return { ...compiled, message: `rule ${i + 1}: ${compiled.message}` };
    const readySteps: { step: RuleStep; after: Find | undefined }[] = [];
    for (const [number, step] of steps.entries()) {
      const after = step.after === undefined ? undefined : boundedPattern(step.after, flags);
      if (after?.ok === false) {
        return { ...after, message: `rule ${i + 1}, step ${number + 1}: ${after.message}` };
      }
      readySteps.push({ step, after: after?.find });
    }
    ready.push({ find: compiled.find, steps: readySteps });
  }
  return { ok: true, model: jsonModel(id, ({ view }) => decide(ready, view)) };
}

/** Works from the view alone, so that a resumed or replayed run gets the same answers. */
function decide(rules: readonly ReadyRule[], { request, steps: done }: ModelView) {
  for (const { find, steps } of rules) {
    const match = find(request);
    if (match === null) continue;
    const step = stepAfter(
      steps,
      done.map(({ observation }) => observation),
    );
    if (step !== undefined) {
      return { ok: true as const, answer: fillCaptures(step.action, match.groups) };
    }
    return noAnswer("the rule for this request has no further step");
  }
  return noAnswer("no rule matches this request");
}

/** Goes through what was observed as the decisions then did, and gives the step that is next. */
function stepAfter(
  steps: ReadyRule["steps"],
  observations: readonly string[],
): RuleStep | undefined {
  let next = 0;
  for (let turn = 0; ; turn++) {
    const last = observations[turn - 1] ?? "";
    while (steps[next]?.after?.(last) === null) next++;
    const found = steps[next++];
    if (found === undefined || turn === observations.length) return found?.step;
  }
}

function noAnswer(message: string) {
  return {
    ok: false as const,
    error: { code: "no-more-answers" as const, message, retryable: false },
  };
}

const CAPTURE = /\$\{(\w{1,64})\}/g;
const MAX_DEPTH = 20;

/**
 * Puts captures in the place of `${name}` in every text of an action. What is put in is data: it is
 * not looked through again and cannot become a key. Unknown names stay as they are.
 */
function fillCaptures(
  value: unknown,
  groups: Readonly<Record<string, string>> | undefined,
  depth = 0,
): unknown {
  if (typeof value === "string") {
    return value.replace(CAPTURE, (whole, name: string) =>
      groups !== undefined && Object.hasOwn(groups, name) ? (groups[name] ?? "") : whole,
    );
  }
  if (depth >= MAX_DEPTH || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => fillCaptures(item, groups, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fillCaptures(item, groups, depth + 1)]),
  );
}

type BoundedPattern =
  | { readonly ok: true; readonly find: (text: string) => RegExpExecArray | null }
  | Failure<"rule-invalid">;

interface Repetitions {
  /** The most times of each, without those up to 1. */
  readonly most: readonly number[];
  /** A repeated group holds a repetition or a choice, or a reference goes back. */
  readonly isNested: boolean;
}

const LONGEST = 1000;
/** So many steps of matching are acceptable at worst. */
const MAX_WORK = 1e8;
const LENGTHS = [10_000, 5000, 2000, 1000, 500, 200, 100];
const QUANTIFIER = /^(?:[*+]|\{(\d{1,6})(?:(,)(\d{1,6})?)?\})/;

/**
 * Compiles a regular expression of a rule, unless it could run away on some text. How much of a
 * text it gets to see depends on its repetitions: each multiplies the work.
 */
function boundedPattern(source: string, flags = "iu"): BoundedPattern {
  if (source.length > LONGEST) return invalid(`the pattern is longer than ${LONGEST} characters`);
  const { most, isNested } = repetitionsIn(source);
  if (isNested) {
    return invalid("repeated groups with repetitions or choices, and references back, are refused");
  }
  const isAnchored = source.startsWith("^") && !source.includes("|") && !flags.includes("m");
  const length = LENGTHS.find((candidate) => work(most, candidate, isAnchored) <= MAX_WORK);
  if (length === undefined) {
    return invalid("the pattern has too many repetitions; begin it with ^ or bound them: .{1,40}");
  }
  try {
    const pattern = new RegExp(source, flags);
    return { ok: true, find: (text) => pattern.exec(text.slice(0, length)) };
  } catch (error) {
    return invalid(error instanceof Error ? error.message : "unreadable pattern");
  }
}

function work(most: readonly number[], length: number, isAnchored: boolean): number {
  const starts = isAnchored ? [] : [Number.POSITIVE_INFINITY];
  // Open ones share the text among them, which divides the ways by the order of their ends.
  let open = 0;
  let ways = 1;
  for (const times of [...starts, ...most]) {
    ways *= Math.min(times, length);
    if (times >= length) ways /= ++open;
  }
  return ways;
}

function repetitionsIn(source: string): Repetitions {
  const most: number[] = [];
  const groups: boolean[] = [false];
  let isNested = false;
  let isClosing = false;
  let inner = false;
  for (let at = 0; at < source.length; at++) {
    const quantifier = QUANTIFIER.exec(source.slice(at, at + 20));
    const character = source.charAt(at);
    if (quantifier !== null) {
      const times = timesOf(quantifier);
      if (times > 1) {
        most.push(times);
        if (isClosing && inner) isNested = true;
        groups[groups.length - 1] = true;
      }
      at += quantifier[0].length - 1;
    } else if (character === "\\") {
      if (/[1-9k]/.test(source.charAt(at + 1))) isNested = true;
      at++;
    } else if (character === "[") at = classEnd(source, at);
    else if (character === "(") groups.push(false);
    else if (character === "|") groups[groups.length - 1] = true;
    isClosing = character === ")" && groups.length > 1;
    if (isClosing) {
      inner = groups.pop() ?? false;
      if (inner) groups[groups.length - 1] = true;
    }
  }
  return { most, isNested };
}

function timesOf([whole, least, comma, most]: RegExpExecArray): number {
  if (whole === "*" || whole === "+") return Number.POSITIVE_INFINITY;
  if (comma === undefined) return Number(least);
  return most === undefined ? Number.POSITIVE_INFINITY : Number(most);
}

function classEnd(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source.charAt(at) === "\\") at++;
    else if (source.charAt(at) === "]") return at;
  }
  return source.length;
}

function invalid(message: string): Failure<"rule-invalid"> {
  return { ok: false, code: "rule-invalid", message };
}
