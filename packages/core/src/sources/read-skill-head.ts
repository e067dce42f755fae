import type { BigIntStats } from "node:fs";
import type { Diagnostic } from "../format/diagnostic.ts";
import type { MetadataResult } from "../format/parse-skill.ts";
import { toDiagnostic } from "../format/reporter.ts";
import { invalidName, nameInvalid } from "../format/rules/fields/name-invalid.ts";
import { mismatchedName, nameMismatch } from "../format/rules/fields/name-mismatch.ts";
import { missingName, nameMissing } from "../format/rules/fields/name-missing.ts";
import type { RuleSettings } from "../format/rules/rule.ts";
import type { Locator } from "../format/text/locator.ts";
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
  return {
    ok: true,
    stats,
    metadata: usual.metadata,
    diagnostics: checkName(normal, usual, options),
  };
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

/** Of a usual head only the name can be wrong. */
function checkName(
  text: string,
  { metadata: { name }, nameStart }: UsualHead,
  { file, directoryName, rules: settings }: HeadOptions,
): readonly Diagnostic[] {
  const hasName = nameStart !== -1;
  const invalid = hasName ? invalidName(name) : undefined;
  const mismatch = hasName ? mismatchedName(name, directoryName) : undefined;
  if (hasName && invalid === undefined && mismatch === undefined) return NONE;
  const start = hasName ? nameStart : FRONTMATTER_START;
  const span = { start, end: hasName ? start + name.length : start };
  const context = { file, strict: false, settings, locate: locatorOfLine(text, start) };
  return [
    invalid && toDiagnostic(nameInvalid, { ...span, ...invalid }, context),
    mismatch && toDiagnostic(nameMismatch, { ...span, ...mismatch }, context),
    hasName
      ? undefined
      : toDiagnostic(nameMissing, { ...span, ...missingName(directoryName) }, context),
  ].filter((diagnostic) => diagnostic !== undefined);
}

/** For offsets on the line of this one. */
function locatorOfLine(text: string, offset: number): Locator {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  let line = 1;
  for (let i = text.indexOf("\n"); i !== -1 && i < lineStart; i = text.indexOf("\n", i + 1)) line++;
  return (other) => ({ line, column: other - lineStart + 1 });
}
