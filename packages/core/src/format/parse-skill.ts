import { checkOptions, type OptionKinds } from "../internal/options.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { readFields, readMetadataFields } from "./fields/read-fields.ts";
import { locateFrontmatter, readFrontmatter } from "./frontmatter.ts";
import {
  createDraft,
  type Draft,
  type ParsedSkill,
  type SkillHead,
  type SkillMetadata,
} from "./parsed-skill.ts";
import { createReporter, type Reporter } from "./reporter.ts";
import type { DraftRule, Report, RuleSettings } from "./rules/rule.ts";
import { fieldsRules } from "./rules/field-rules.ts";
import { qualityRules } from "./rules/quality-rules.ts";
import { safetyRules } from "./rules/safety-rules.ts";
import { headOf, normalizeText } from "./text/split-frontmatter.ts";
import { type YamlMap, type YamlValue, yamlValue } from "./yaml/yaml-node.ts";

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
  if (draft === undefined) return { diagnostics };
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
