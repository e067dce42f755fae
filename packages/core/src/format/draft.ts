import { CONTROL, escapeCharacter, MAY_HIDE, SMUGGLING, truncate } from "../internal/text.ts";
import type { Diagnostic, Effect, Mutable, Severity, TextEdit } from "./diagnostic.ts";
import type { ToolRule } from "./tool-rules.ts";
import { createRepairMap, type Insertion } from "./yaml/repair-yaml.ts";
import type { YamlEntry, YamlMap, YamlValue } from "./yaml/yaml-node.ts";

/** Where the parts of a normalised SKILL.md lie. */
export interface SkillParts {
  readonly text: string;
  /** Frontmatter without its delimiters: `text.slice(start, end)`. */
  readonly start: number;
  readonly end: number;
  /** First character after the line of the closing delimiter. */
  readonly bodyStart: number;
  /** Offset of the opening delimiter; above 0 when there are blank lines before it. */
  readonly opening: number;
}

type SplitResult =
  | { readonly found: "both"; readonly parts: SkillParts }
  | { readonly found: "opening"; readonly opening: number }
  | { readonly found: "none" };

/**
 * Finds the two delimiter lines. A delimiter is a whole line: three hyphens at its start and
 * nothing but blanks after them, so `description: a --- b` and `--- # note` are content.
 */
export function splitFrontmatter(text: string): SplitResult {
  const opening = firstLineWithText(text);
  const start = afterDelimiter(text, opening);
  if (start === -1) return { found: "none" };
  let end = start;
  while (end < text.length) {
    const bodyStart = afterDelimiter(text, end);
    if (bodyStart !== -1) return { found: "both", parts: { text, start, end, bodyStart, opening } };
    const newline = text.indexOf("\n---", end);
    if (newline === -1) break;
    end = newline + 1;
  }
  return { found: "opening", opening };
}

function firstLineWithText(text: string): number {
  let lineStart = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10) lineStart = i + 1;
    else if (code !== 32 && code !== 9) return lineStart;
  }
  return lineStart;
}

/** Start of the line after the delimiter line at `offset`, or -1 when that line is not one. */
function afterDelimiter(text: string, offset: number): number {
  if (!text.startsWith("---", offset)) return -1;
  let i = offset + 3;
  while (text.charCodeAt(i) === 32 || text.charCodeAt(i) === 9) i++;
  if (i >= text.length) return text.length;
  return text.charCodeAt(i) === 10 ? i + 1 : -1;
}

/** No frontmatter that may be read reaches beyond this. */
const MAX_HEAD_LENGTH = 20_000;

/**
 * The text up to the end of what looks like the frontmatter, found without touching the body. Good
 * enough to try first: when nothing can be read of it, the whole text must be tried.
 */
export function headOf(text: string): string {
  let from = 3;
  for (;;) {
    const newline = text.indexOf("\n---", from);
    if (newline === -1 || newline > MAX_HEAD_LENGTH) return text.slice(0, MAX_HEAD_LENGTH);
    let end = newline + 4;
    while (text[end] === " " || text[end] === "\t" || text[end] === "\r") end++;
    if (end >= text.length || text[end] === "\n") return text.slice(0, end + 1);
    from = end;
  }
}

const BOM = 0xfeff;

/** Drops a leading BOM and turns CRLF and CR into LF. Everything else stays as it is. */
export function normalizeText(text: string): string {
  const start = text.charCodeAt(0) === BOM ? 1 : 0;
  if (text.includes("\r", start)) return text.slice(start).replace(/\r\n?/g, "\n");
  return start === 0 ? text : text.slice(start);
}

export type RunMode = "inline" | "subagent";

/** What is needed to list a skill: level 1, and how it may be invoked. */
export interface SkillMetadata {
  readonly name: string;
  readonly description: string;
  readonly version?: string;
  readonly disableModelInvocation: boolean;
  readonly userInvocable: boolean;
  readonly runMode: RunMode;
  /** Refused for models by a safety rule; people still see it with its diagnostics. */
  readonly hiddenFromModel: boolean;
  /** The author's own key-value pairs. Models never see them at level 1. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Absent when the skill declares nothing; empty when it declares that it needs no tool. */
  readonly allowedTools?: readonly ToolRule[];
}

/** A SKILL.md as the rest of the system sees it. */
export interface ParsedSkill extends SkillMetadata {
  readonly license?: string;
  readonly compatibility?: string;
  readonly author?: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Keys this version does not know, in file order, uninterpreted. */
  readonly extra: Readonly<Record<string, YamlValue>>;
  /** Markdown after the frontmatter, newlines normalised and otherwise untouched. */
  readonly body: string;
  /** 1-based line of the file on which the body starts. */
  readonly bodyLine: number;
}

/** The text fields, of which a list of skills has only some. */
export type SkillHead = SkillMetadata &
  Partial<Pick<ParsedSkill, "license" | "compatibility" | "author">>;

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A skill while it is being read: its frontmatter as nodes, and a way to report about them. */
export interface Draft {
  readonly parts: SkillParts;
  readonly directoryName: string | undefined;
  readonly frontmatter: YamlMap;
  /** Entries by canonical key, misspelt keys included; filled while fields are read. */
  readonly fields: Map<string, YamlEntry>;
  readonly reporter: Reporter;
  /** The frontmatter has only printable ASCII and no escapes. */
  readonly isPlain: boolean;
  /** It has controls, characters that hide or reorder text, or escapes that may stand for them. */
  readonly mayHide: boolean;
  /** The offset, as nodes count it, of a character of the frontmatter as written: a repair moves nodes. */
  nodeOffset(offset: number): number;
  /** Offsets of a node, as spans of the whole file. */
  spanOf(node: Span): Span;
  report(rule: Rule, node: Span, finding: Omit<Finding, "start" | "end">): void;
}

interface DraftOptions {
  readonly parts: SkillParts;
  readonly directoryName: string | undefined;
  readonly frontmatter: YamlMap;
  readonly insertions: readonly Insertion[];
  readonly reporter: Reporter;
}

const NOT_PLAIN = /[^\x20-\x5b\x5d-\x7e\n]/;

export function createDraft(options: DraftOptions): Draft {
  const { parts, directoryName, frontmatter, insertions, reporter } = options;
  const beforeRepair = insertions.length === 0 ? undefined : createRepairMap(insertions);
  const place = (offset: number) => parts.start + (beforeRepair?.(offset) ?? offset);
  const text = parts.text.slice(parts.start, parts.end);
  const isPlain = !NOT_PLAIN.test(text);
  const spanOf = ({ start, end }: Span): Span => ({ start: place(start), end: place(end) });
  return {
    parts,
    directoryName,
    frontmatter,
    fields: new Map(),
    reporter,
    isPlain,
    mayHide: !isPlain && MAY_HIDE.test(text),
    nodeOffset: (offset) =>
      insertions.reduce(
        (sum, { at, text: added }) => (at <= offset ? sum + added.length : sum),
        offset,
      ),
    spanOf,
    report: (rule, node, finding) => reporter.report(rule, { ...spanOf(node), ...finding }),
  };
}

/** One kind of finding; `docs/lint-rules.md` is generated from these. */
export interface Rule<Code extends string = string> {
  readonly code: Code;
  /** Severity while loading (lenient), and while validating (`strict`) when that differs. */
  readonly severity: Severity;
  readonly strict?: Severity;
  /** What a finding does to the skill, as long as its severity is error. */
  readonly effect?: Effect;
  /** One line. */
  readonly summary: string;
  /** Why it matters and what to do. */
  readonly explanation: string;
  readonly example: { readonly bad: string; readonly good: string };
}

/** A severity per rule code, or "off". Rules whose effect is "skipped" cannot be turned off. */
export type RuleSettings = Readonly<Record<string, Severity | "off">>;

/** The severity a rule has here: settings first, then strictness. */
export function effectiveSeverity(
  rule: Rule,
  strict: boolean,
  settings: RuleSettings | undefined,
): Severity | "off" {
  const usual = strict ? (rule.strict ?? rule.severity) : rule.severity;
  if (settings === undefined || rule.effect === "skipped") return usual;
  return Object.hasOwn(settings, rule.code) ? (settings[rule.code] ?? usual) : usual;
}

/** Reports a finding of the rule that is running. */
export type Report = (span: Span, finding: Omit<Finding, "start" | "end">) => void;

/** A rule that looks at a parsed skill. */
export interface DraftRule<Code extends string = string> extends Rule<Code> {
  /** Runs at every parse: only what is cheap and decides how the skill is loaded. Reports nodes. */
  check?(skill: SkillHead, draft: Draft, report: Report): void;
  /** Runs when a person lints: may read the whole body. Reports offsets of the whole file. */
  lint?(skill: ParsedSkill, draft: Draft, report: Report): void;
}

export function defineRule<const Code extends string>(rule: DraftRule<Code>): DraftRule<Code> {
  return rule;
}

/** The span of a field's value in the frontmatter; its start when the field is missing. */
export function valueSpan(draft: Draft, key: string): Span {
  return draft.fields.get(key)?.value ?? { start: 0, end: 0 };
}

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

interface FindingContext {
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
