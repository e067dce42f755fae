import type { BigIntStats } from "node:fs";
import type { Diagnostic } from "../format/diagnostic.ts";
import { isKnownKey, meantKey } from "../format/fields/known-keys.ts";
import type { MetadataResult } from "../format/parse-skill.ts";
import type { Span } from "../format/parsed-skill.ts";
import {
  createLocator,
  type Finding,
  type FindingContext,
  type FindingWords,
  toDiagnostic,
} from "../format/reporter.ts";
import {
  descriptionMissing,
  descriptionTooLong,
  invalidName,
  keyMisspelt,
  longDescription,
  mismatchedName,
  missingDescription,
  missingName,
  misspeltKey,
  nameInvalid,
  nameMismatch,
  nameMissing,
} from "../format/rules/field-rules.ts";
import type { Rule, RuleSettings } from "../format/rules/rule.ts";
import { yamlRepaired } from "../format/rules/syntax-rules.ts";
import { normalizeText, splitFrontmatter } from "../format/text/split-frontmatter.ts";
import { isSurelyBroken, repairFindings, repairYaml } from "../format/yaml/repair-yaml.ts";
import { readHeadText, type Text } from "./read-head-text.ts";
import { readUsualHead, spanOfDescription, spanOfName, type UsualHead } from "./usual-head.ts";

/** A head as it was meant, and what there is to say about each thing that was mended. */
interface MendedHead {
  readonly text: string;
  readonly findings: readonly Finding[];
}

const KEY = /(?<=\n)[A-Za-z][A-Za-z_-]*(?=:)/g;

/** Undefined when there is nothing to mend, or when it takes the parser to know how. */
function mendKeys(text: string): MendedHead | undefined {
  const findings: Finding[] = [];
  const meantKeys = new Set<string>();
  const mended = text.replaceAll(KEY, (key: string, start: number) => {
    const meant = isKnownKey(key) ? undefined : meantKey(key).surely;
    if (meant === undefined) return key;
    // A second one, or one whose value is shown by its place, is none of the usual cases.
    if (meantKeys.has(meant) || text.includes(`\n${meant}:`)) meantKeys.add("");
    if (meant === "name" || meant === "description") meantKeys.add("");
    meantKeys.add(meant);
    findings.push(misspeltKey(key, meant, { start, end: start + key.length }));
    return meant;
  });
  return findings.length === 0 || meantKeys.has("") ? undefined : { text: mended, findings };
}

const MAX_LENGTH = 4096;

/** A head whose broken values are quoted. Undefined when nothing is surely broken, or when it takes the parser to know. */
function mendValues(text: string): MendedHead | undefined {
  const split = text.length > MAX_LENGTH ? undefined : splitFrontmatter(text);
  if (split?.found !== "both") return undefined;
  const { start, end } = split.parts;
  const yaml = text.slice(start, end);
  let isSure = isSurelyBroken(yaml);
  const repaired = isSure ? repairYaml(yaml, () => (isSure = false)) : undefined;
  if (repaired === undefined || !isSure) return undefined;
  const mended = text.slice(0, start) + repaired.text + text.slice(end);
  return { text: mended, findings: repairFindings(repaired, start) };
}

interface HeadOptions {
  readonly file: string;
  readonly directoryName: string;
  readonly rules?: RuleSettings | undefined;
}

type SkillHead =
  | ({ readonly ok: true; readonly stats: BigIntStats } & MetadataResult)
  | { readonly ok: false; readonly code: string };

/** Reads level 1 of a SKILL.md. */
export async function readSkillHead(options: HeadOptions): Promise<SkillHead> {
  const head = readHeadText(options.file);
  return head.ok ? { ok: true, stats: head.stats, ...(await parseHead(head, options)) } : head;
}

/**
 * Understands what was read. Only a head that is not of the usual form needs the parser, which is
 * loaded for the first of them; all others are done at once, without a promise.
 */
export function parseHead(
  { text, isAscii }: Text,
  options: HeadOptions,
): MetadataResult | Promise<MetadataResult> {
  const normal = normalizeText(text);
  const usual = readUsualHead(normal, isAscii, options.directoryName);
  if (usual?.isFaultless === true) return { metadata: usual.metadata, diagnostics: NONE };
  const found =
    usual === undefined
      ? (readMendedKeys(normal, isAscii, options) ?? readMendedValues(normal, isAscii, options))
      : metadataOf(normal, usual, options);
  return found ?? parseSpecial(text, options);
}

/** Undefined where it takes the parser after all. */
function metadataOf(
  text: string,
  usual: UsualHead,
  options: HeadOptions,
): MetadataResult | undefined {
  const { metadata } = usual;
  const diagnostics = checkUsual(text, usual, options);
  if (metadata.description !== "") return { metadata, diagnostics };
  // Without a description a skill is of no use, unless somebody has set the rule otherwise.
  return diagnostics.some(({ effect }) => effect === "skipped") ? { diagnostics } : undefined;
}

/** A head that is usual but for how a key is spelt. */
function readMendedKeys(
  text: string,
  isAscii: boolean,
  options: HeadOptions,
): MetadataResult | undefined {
  const mended = mendKeys(text);
  return mended && readMended(text, mended, isAscii, keyMisspelt, options);
}

/** A head that is usual but for a colon in a text that is not quoted. */
function readMendedValues(
  text: string,
  isAscii: boolean,
  options: HeadOptions,
): MetadataResult | undefined {
  const mended = mendValues(text);
  const found = mended && readMended(text, mended, isAscii, yamlRepaired, options);
  // Where anything else stands was moved by the quotes.
  return found?.diagnostics.length === mended?.findings.length ? found : undefined;
}

function readMended(
  text: string,
  mended: MendedHead,
  isAscii: boolean,
  rule: Rule,
  options: HeadOptions,
): MetadataResult | undefined {
  const usual = readUsualHead(mended.text, isAscii, options.directoryName);
  const found = usual && metadataOf(mended.text, usual, options);
  if (found === undefined) return undefined;
  const context = contextOf(text, options);
  const own = mended.findings.map((finding) => toDiagnostic(rule, finding, context));
  const diagnostics = [...own, ...found.diagnostics].filter((one) => one !== undefined);
  const { metadata } = found;
  return metadata === undefined ? { diagnostics } : { metadata, diagnostics };
}

async function parseSpecial(
  text: string,
  { file, directoryName, rules }: HeadOptions,
): Promise<MetadataResult> {
  const { readSkillMetadata } = await import("../format/parse-skill.ts");
  return readSkillMetadata(text, { directoryName, file, ...(rules && { rules }) });
}

/** Where the frontmatter starts. */
const START: Span = { start: "---\n".length, end: "---\n".length };
const NONE: readonly Diagnostic[] = [];

/** In the order in which the parser's rules are checked. */
function checkUsual(text: string, usual: UsualHead, options: HeadOptions): readonly Diagnostic[] {
  const { hasName, isLong } = usual;
  const { name, description } = usual.metadata;
  const { directoryName } = options;
  const invalid = hasName ? invalidName(name) : undefined;
  const mismatch = hasName ? mismatchedName(name, directoryName) : undefined;
  const context = contextOf(text, options);
  const diagnostics: Diagnostic[] = [];
  // Written out: objects that are spread have shapes of their own, which makes all code slow that reads them.
  const report = (rule: Rule, { start, end }: Span, { message, hint }: FindingWords) => {
    const diagnostic = toDiagnostic(rule, { message, start, end, hint }, context);
    if (diagnostic !== undefined) diagnostics.push(diagnostic);
  };
  if (description === "") report(descriptionMissing, START, missingDescription(false));
  const tooLong = isLong ? longDescription(description) : undefined;
  if (tooLong !== undefined) report(descriptionTooLong, spanOfDescription(text), tooLong);
  const span = hasName ? spanOfName(text, name) : START;
  if (invalid !== undefined) report(nameInvalid, span, invalid);
  if (mismatch !== undefined) report(nameMismatch, span, mismatch);
  if (!hasName) report(nameMissing, START, missingName(directoryName));
  return diagnostics;
}

function contextOf(text: string, { file, rules: settings }: HeadOptions): FindingContext {
  return { file, strict: false, settings, locate: createLocator(text) };
}
