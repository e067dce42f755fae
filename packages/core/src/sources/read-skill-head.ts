import type { BigIntStats } from "node:fs";
import type { Diagnostic } from "../format/diagnostic.ts";
import type { MetadataResult } from "../format/parse-skill.ts";
import { type FindingContext, toDiagnostic } from "../format/reporter.ts";
import {
  descriptionMissing,
  missingDescription,
} from "../format/rules/fields/description-missing.ts";
import {
  descriptionTooLong,
  longDescription,
} from "../format/rules/fields/description-too-long.ts";
import { invalidName, nameInvalid } from "../format/rules/fields/name-invalid.ts";
import { mismatchedName, nameMismatch } from "../format/rules/fields/name-mismatch.ts";
import { missingName, nameMissing } from "../format/rules/fields/name-missing.ts";
import type { RuleSettings } from "../format/rules/rule.ts";
import { createLocator } from "../format/text/locator.ts";
import { normalizeText } from "../format/text/normalize-text.ts";
import { type HeadText, readHeadText } from "./read-head-text.ts";
import { readUsualHead, type UsualHead } from "./read-usual-head.ts";

export interface HeadOptions {
  readonly file: string;
  readonly directoryName: string;
  readonly rules?: RuleSettings | undefined;
}

export type SkillHead =
  | ({ readonly ok: true; readonly stats: BigIntStats } & MetadataResult)
  | { readonly ok: false; readonly code: string };

/** Reads level 1 of a SKILL.md. */
export async function readSkillHead(options: HeadOptions): Promise<SkillHead> {
  return parseHead(readHeadText(options.file), options);
}

/**
 * Understands what was read. Only a head that is not of the usual form needs the parser, which is
 * loaded for the first of them; all others are done at once, without a promise.
 */
export function parseHead(head: HeadText, options: HeadOptions): SkillHead | Promise<SkillHead> {
  if (!head.ok) return head;
  const { stats, text, isAscii } = head;
  const normal = normalizeText(text);
  const usual = readUsualHead(normal, isAscii, options.directoryName);
  if (usual === undefined) return parseSpecial(stats, text, options);
  const { metadata } = usual;
  const diagnostics = checkUsual(normal, usual, options);
  if (metadata.description !== "") return { ok: true, stats, metadata, diagnostics };
  // Without a description a skill is of no use, unless somebody has set the rule otherwise.
  const isSkipped = diagnostics.some(({ effect }) => effect === "skipped");
  return isSkipped ? { ok: true, stats, diagnostics } : parseSpecial(stats, text, options);
}

async function parseSpecial(
  stats: BigIntStats,
  text: string,
  { file, directoryName, rules }: HeadOptions,
): Promise<SkillHead> {
  const { readSkillMetadata } = await import("../format/parse-skill.ts");
  const result = readSkillMetadata(text, { directoryName, file, ...(rules && { rules }) });
  return { ok: true, stats, ...result };
}

const FRONTMATTER_START = "---\n".length;
const NONE: readonly Diagnostic[] = [];

/** In the order in which the parser's rules are checked. */
function checkUsual(text: string, usual: UsualHead, options: HeadOptions): readonly Diagnostic[] {
  const { name, description } = usual.metadata;
  const hasUsualName =
    usual.nameStart !== -1 && name === options.directoryName && invalidName(name) === undefined;
  if (hasUsualName && description !== "" && usual.longDescription === undefined) return NONE;
  const context = contextOf(text, options);
  return [...checkDescription(usual, context), ...checkName(usual, options, context)].filter(
    (diagnostic) => diagnostic !== undefined,
  );
}

function contextOf(text: string, { file, rules: settings }: HeadOptions): FindingContext {
  return { file, strict: false, settings, locate: createLocator(text) };
}

function checkDescription(
  { metadata: { description }, longDescription: span }: UsualHead,
  context: FindingContext,
): (Diagnostic | undefined)[] {
  const start = FRONTMATTER_START;
  if (description === "") {
    return [toDiagnostic(descriptionMissing, { start, ...missingDescription(false) }, context)];
  }
  const finding = span && longDescription(description);
  return finding ? [toDiagnostic(descriptionTooLong, { ...span, ...finding }, context)] : [];
}

function checkName(
  { metadata: { name }, nameStart }: UsualHead,
  { directoryName }: HeadOptions,
  context: FindingContext,
): (Diagnostic | undefined)[] {
  if (nameStart === -1) {
    const start = FRONTMATTER_START;
    return [toDiagnostic(nameMissing, { start, ...missingName(directoryName) }, context)];
  }
  const span = { start: nameStart, end: nameStart + name.length };
  const invalid = invalidName(name);
  const mismatch = mismatchedName(name, directoryName);
  return [
    invalid && toDiagnostic(nameInvalid, { ...span, ...invalid }, context),
    mismatch && toDiagnostic(nameMismatch, { ...span, ...mismatch }, context),
  ];
}
