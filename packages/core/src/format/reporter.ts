import { CONTROL, SMUGGLING } from "../internal/hidden-characters.ts";
import { escapeCharacter, truncate } from "../internal/text.ts";
import type { Diagnostic, Effect, TextEdit } from "./diagnostic.ts";
import type { Mutable } from "./diagnostic.ts";
import { effectiveSeverity, type Rule, type RuleSettings } from "./rules/rule.ts";

interface Position {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
}

type Locator = (offset: number) => Position;

/** Turns offsets into lines and columns; line starts are found as far as they are asked for. */
export function createLocator(text: string): Locator {
  const starts = [0];
  let searched = 0;
  return (offset) => {
    while (searched <= offset && searched !== -1) {
      const newline = text.indexOf("\n", searched);
      searched = newline === -1 ? -1 : newline + 1;
      if (searched === -1) break;
      starts.push(searched);
    }
    if (searched === -1) searched = text.length + 1;
    const line = lastAtOrBefore(starts, offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

function lastAtOrBefore(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

export interface Finding {
  readonly message: string;
  /** Offsets into the normalised text; `end` defaults to `start`. */
  readonly start: number;
  readonly end?: number;
  readonly hint?: string | undefined;
  readonly fix?: readonly TextEdit[];
  /** The skill cannot be used because of this finding, whatever the rule's severity. */
  readonly unusable?: boolean;
}

/** What a rule has to say, wherever that is. */
export type FindingWords = Pick<Finding, "message" | "hint">;

interface ReporterOptions {
  readonly text: string;
  readonly file: string;
  readonly strict: boolean;
  readonly settings: RuleSettings | undefined;
}

/** Collects findings of one file as diagnostics, with the severities that hold here. */
export interface Reporter {
  readonly diagnostics: Diagnostic[];
  report(rule: Rule, finding: Finding): void;
  /** True once a finding had this effect on the skill. */
  has(effect: Effect): boolean;
}

export function createReporter({ text, file, strict, settings }: ReporterOptions): Reporter {
  const diagnostics: Diagnostic[] = [];
  let locator: Locator | undefined;
  const context: FindingContext = {
    file,
    strict,
    settings,
    locate: (offset) => (locator ??= createLocator(text))(offset),
  };
  return {
    diagnostics,
    has: (effect) => diagnostics.some((diagnostic) => diagnostic.effect === effect),
    report(rule, finding) {
      const diagnostic = toDiagnostic(rule, finding, context);
      if (diagnostic !== undefined) diagnostics.push(diagnostic);
    },
  };
}

export interface FindingContext {
  readonly file: string;
  readonly strict: boolean;
  readonly settings: RuleSettings | undefined;
  readonly locate: Locator;
}

/** Undefined when the rule is switched off. */
export function toDiagnostic(
  rule: Rule,
  { message, start, end = start, hint, fix, unusable = false }: Finding,
  { file, strict, settings, locate }: FindingContext,
): Diagnostic | undefined {
  const severity = unusable ? "error" : effectiveSeverity(rule, strict, settings);
  if (severity === "off") return undefined;
  const effect = unusable ? "skipped" : severity === "error" ? rule.effect : undefined;
  const from = locate(start);
  const to = end === start ? from : locate(end);
  // Assigned one by one: a spread of nothing costs more than all the rest.
  const diagnostic: Mutable<Diagnostic> = {
    code: rule.code,
    severity,
    message: printable(message),
    file,
    line: from.line,
    column: from.column,
    endLine: to.line,
    endColumn: to.column,
  };
  if (hint !== undefined) diagnostic.hint = printable(hint);
  if (effect !== undefined) diagnostic.effect = effect;
  if (fix !== undefined) diagnostic.fix = fix;
  return diagnostic;
}

const MAX_TEXT_LENGTH = 400;
const NOT_ASCII = /[^ -~]/;
const UNPRINTABLE = new RegExp(`${CONTROL.source}|${SMUGGLING.source}`, "gu");

/**
 * Messages quote skills: nothing in them may act on a terminal, and none may fill the screen. Other
 * invisible characters stay, since hints are to be copied.
 */
function printable(text: string): string {
  const cut = truncate(text, MAX_TEXT_LENGTH);
  return NOT_ASCII.test(cut) ? cut.replace(UNPRINTABLE, escapeCharacter) : cut;
}
