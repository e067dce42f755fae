import { checkOptions, type OptionKinds } from "../internal/options.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { readFields, readMetadataFields } from "./fields/read-fields.ts";
import {
  createDraft,
  createReporter,
  type Draft,
  type DraftRule,
  headOf,
  normalizeText,
  type ParsedSkill,
  type Report,
  type Reporter,
  type RuleSettings,
  type SkillHead,
  type SkillMetadata,
  type SkillParts,
  splitFrontmatter,
} from "./draft.ts";
import { fieldsRules } from "./rules/field-rules.ts";
import { qualityRules } from "./rules/quality-rules.ts";
import { safetyRules } from "./rules/safety-rules.ts";
import {
  frontmatterMissing,
  frontmatterNotFirst,
  frontmatterTooLarge,
  frontmatterUnclosed,
  yamlAlias,
  yamlDuplicateKey,
  yamlInvalid,
  yamlNotAMapping,
  yamlPrototypeKey,
  yamlRepaired,
  yamlTag,
  yamlTooDeep,
} from "./rules/syntax-rules.ts";
import { readYaml, type YamlFailure } from "./yaml/read-yaml.ts";
import { type Insertion, repairFindings, repairYaml } from "./yaml/repair-yaml.ts";
import { type YamlMap, type YamlNode, yamlValue, type YamlValue } from "./yaml/yaml-node.ts";

const MAX_FRONTMATTER_BYTES = 16 * 1024;

const RULE_OF = {
  invalid: yamlInvalid,
  "too-deep": yamlTooDeep,
  alias: yamlAlias,
  tag: yamlTag,
  "duplicate-key": yamlDuplicateKey,
  "prototype-key": yamlPrototypeKey,
} as const;

const HINT_OF = {
  "too-deep": "flatten it; a skill needs no more than a level or two",
  alias: "write the value out",
  tag: "quote the value instead",
  "duplicate-key": "remove one of the two",
  "prototype-key": "choose another name for the key",
} as const;

/** Finds the frontmatter, or reports why there is none that may be read. */
function locateFrontmatter(text: string, reporter: Reporter): SkillParts | undefined {
  const split = splitFrontmatter(text);
  if (split.found === "none") {
    reporter.report(frontmatterMissing, missingFinding(text));
    return undefined;
  }
  if (split.found === "opening") {
    const { opening } = split;
    const hint = "add a line that is only `---` after the last field";
    const message = "the frontmatter is never closed";
    reporter.report(frontmatterUnclosed, { start: opening, end: opening + 3, message, hint });
    return undefined;
  }
  const { start, end, opening } = split.parts;
  if (opening > 0) {
    const message = "there are blank lines before the frontmatter";
    const fix = [{ start: 0, end: opening, text: "" }];
    reporter.report(frontmatterNotFirst, { start: 0, message, hint: "remove them", fix });
  }
  const bytes = byteLength(text, start, end);
  if (bytes > MAX_FRONTMATTER_BYTES) {
    const message = `the frontmatter has ${bytes} bytes, ${MAX_FRONTMATTER_BYTES} are allowed`;
    const hint = "move long text to the body or to a file under `references/`";
    reporter.report(frontmatterTooLarge, { start: opening, end: opening + 3, message, hint });
    return undefined;
  }
  return split.parts;
}

interface ReadFrontmatter {
  readonly map: YamlMap;
  /** What a repair put in; empty for a file that could be read as it is. */
  readonly insertions: readonly Insertion[];
}

/** Reads the YAML, repairing what can be repaired, or reports why it cannot be read. */
function readFrontmatter(parts: SkillParts, reporter: Reporter): ReadFrontmatter | undefined {
  const text = parts.text.slice(parts.start, parts.end);
  const first = readYaml(text);
  if (first.ok) return mapping(first.node, [], parts, reporter);
  const isGrammar = first.problem === "invalid";
  const repaired = isGrammar ? repairYaml(text, (entry) => readYaml(entry).ok) : undefined;
  const second = repaired && readYaml(repaired.text);
  if (repaired === undefined || second?.ok !== true) {
    reportFailure(first, parts, reporter);
    return undefined;
  }
  for (const finding of repairFindings(repaired, parts.start)) {
    reporter.report(yamlRepaired, finding);
  }
  return mapping(second.node, repaired.insertions, parts, reporter);
}

function mapping(
  node: YamlNode,
  insertions: readonly Insertion[],
  parts: SkillParts,
  reporter: Reporter,
): ReadFrontmatter | undefined {
  if (node.kind === "map") return { map: node, insertions };
  const what = node.kind === "list" ? "a list" : node.value === null ? "empty" : "a single value";
  const message = `the frontmatter is ${what}, not a list of \`key: value\` lines`;
  reporter.report(yamlNotAMapping, { start: parts.start, message });
  return undefined;
}

function reportFailure(failure: YamlFailure, parts: SkillParts, reporter: Reporter): void {
  const { problem, reason, start, end } = failure;
  const hint = problem === "invalid" ? hintFor(reason) : HINT_OF[problem];
  reporter.report(RULE_OF[problem], {
    start: parts.start + start,
    end: parts.start + end,
    message: problem === "invalid" ? `this is not valid YAML: ${reason}` : reason,
    ...(hint === undefined ? undefined : { hint }),
  });
}

function hintFor(reason: string): string | undefined {
  if (/\btabs?\b/.test(reason)) return "indent with blanks; YAML does not allow tabs there";
  if (reason.includes("quoted")) return "close the quote, or double a quote inside single quotes";
  if (reason.includes("indentation")) return "quote the value, or line it up with its neighbours";
  return undefined;
}

function missingFinding(text: string) {
  const content = text.trim();
  const path = content.length < 256 && /^[^\s:]+\/[^\s:]+$/.test(content);
  const message = path
    ? `the file holds only the path \`${content}\``
    : content === ""
      ? "the file is empty"
      : "the file does not start with frontmatter";
  const hint = path
    ? "this is a symbolic link checked out as text; check it out again with links enabled"
    : "start the file with `---`, a `name` and a `description`, and `---` again";
  return { start: 0, message, hint };
}

function byteLength(text: string, start: number, end: number): number {
  const length = end - start;
  if (length * 3 <= MAX_FRONTMATTER_BYTES) return length;
  return new TextEncoder().encode(text.slice(start, end)).length;
}

export interface ParseOptions {
  /** Name of the skill's folder: checked against `name`, and used when there is none. */
  readonly directoryName?: string;
  /** Validate instead of load: what the specification forbids is an error, and then no skill. */
  readonly strict?: boolean;
  /** Severity per rule code, or "off". */
  readonly rules?: RuleSettings;
  /** Path shown in diagnostics. Default: `SKILL.md`. */
  readonly file?: string;
  /** Also give the values of all fields as YAML has them. */
  readonly values?: boolean;
}

const OPTIONS: OptionKinds<ParseOptions> = {
  directoryName: "string",
  strict: "boolean",
  rules: "object",
  file: "string",
  values: "boolean",
};

export interface MetadataResult {
  readonly metadata?: SkillMetadata;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ParseResult {
  /** Absent when the file cannot be used; a diagnostic then says why. */
  readonly skill?: ParsedSkill;
  /** Each field under its key as written, when it was asked for; a number may be none of JSON. */
  readonly values?: Readonly<Record<string, YamlValue>>;
  readonly diagnostics: readonly Diagnostic[];
}

const PARSE_RULES: readonly DraftRule[] = [...fieldsRules, ...safetyRules].filter(
  (rule) => rule.check !== undefined,
);
const LINT_RULES: readonly DraftRule[] = [...safetyRules, ...qualityRules].filter(
  (rule) => rule.lint !== undefined,
);

/** Reads a SKILL.md. Never throws, whatever the text is. */
export function parseSkill(text: string, options: ParseOptions = {}): ParseResult {
  checkOptions("parseSkill", options, OPTIONS);
  return parse(text, options, false);
}

/** `parseSkill`, and then the rules for authors, which read the whole body. */
export function lintSkillText(text: string, options: ParseOptions = {}): ParseResult {
  checkOptions("lintSkillText", options, OPTIONS);
  return parse(text, options, true);
}

/**
 * Reads only what a record of a skill has: name, description, version, controls, `metadata` and
 * `allowed-tools`. The text may end anywhere after the frontmatter. Diagnostics cover name,
 * description, version and controls.
 */
export function readSkillMetadata(text: string, options: ParseOptions = {}): MetadataResult {
  const head = typeof text === "string" ? headOf(text) : "";
  const result = parseMetadata(head, options);
  return result.metadata !== undefined || head === text ? result : parseMetadata(text, options);
}

function parseMetadata(text: string, options: ParseOptions): MetadataResult {
  const { reporter, draft } = openDraft(text, options);
  const { diagnostics } = reporter;
  if (draft === undefined) return { diagnostics };
  const metadata = readMetadataFields(draft);
  checkSkill(metadata, draft);
  metadata.hiddenFromModel = reporter.has("hidden");
  return isRefused(reporter, options) ? { diagnostics } : { metadata, diagnostics };
}

function parse(text: string, options: ParseOptions, lint: boolean): ParseResult {
  const { reporter, draft } = openDraft(text, options);
  const { diagnostics } = reporter;
  if (draft === undefined) {
    if (lint) lintBody(text, reporter);
    return { diagnostics };
  }
  const skill = readFields(draft);
  checkSkill(skill, draft);
  if (lint) lintSkill(skill, draft);
  skill.hiddenFromModel = reporter.has("hidden");
  if (isRefused(reporter, options)) return { diagnostics };
  return options.values === true
    ? { skill, values: valuesOf(draft.frontmatter), diagnostics }
    : { skill, diagnostics };
}

/** Finds and reads the frontmatter; without a draft the diagnostics say why there is none. */
function openDraft(input: string, options: ParseOptions): { reporter: Reporter; draft?: Draft } {
  const { directoryName, strict = false, rules: settings, file = "SKILL.md" } = options;
  const text = typeof input === "string" ? normalizeText(input) : "";
  const reporter = createReporter({ text, file, strict, settings });
  const parts = locateFrontmatter(text, reporter);
  const frontmatter = parts && readFrontmatter(parts, reporter);
  if (parts === undefined || frontmatter === undefined) return { reporter };
  const { map, insertions } = frontmatter;
  const draft = createDraft({ parts, directoryName, frontmatter: map, insertions, reporter });
  return { reporter, draft };
}

/** What there is to say about the body where the frontmatter cannot be read. */
function lintBody(input: string, reporter: Reporter): void {
  const text = typeof input === "string" ? normalizeText(input) : "";
  const split = splitFrontmatter(text);
  if (split.found !== "both") return;
  const frontmatter: YamlMap = { kind: "map", entries: [], start: 0, end: 0 };
  const parts = { ...split.parts, end: split.parts.start };
  const draft = createDraft({
    parts,
    directoryName: undefined,
    frontmatter,
    insertions: [],
    reporter,
  });
  const body = text.slice(parts.bodyStart);
  lintSkill({ ...readFields(draft), name: "", description: "", body }, draft);
}

function valuesOf({ entries }: YamlMap): Record<string, YamlValue> {
  return Object.fromEntries(entries.map(({ key, value }) => [key, yamlValue(value)]));
}

function isRefused(reporter: Reporter, { strict = false }: ParseOptions): boolean {
  if (reporter.has("skipped")) return true;
  return strict && reporter.diagnostics.some(({ severity }) => severity === "error");
}

function checkSkill(skill: SkillHead, draft: Draft): void {
  let running: DraftRule;
  const report: Report = (node, finding) => draft.report(running, node, finding);
  for (running of PARSE_RULES) running.check?.(skill, draft, report);
}

function lintSkill(skill: ParsedSkill, draft: Draft): void {
  let running: DraftRule;
  const report: Report = (span, finding) => draft.reporter.report(running, { ...span, ...finding });
  for (running of LINT_RULES) running.lint?.(skill, draft, report);
}
