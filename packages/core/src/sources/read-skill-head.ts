import type { BigIntStats } from "node:fs";
import type { Diagnostic } from "../format/diagnostic.ts";
import { type MetadataResult, readSkillMetadata } from "../format/parse-skill.ts";
import { createReporter } from "../format/reporter.ts";
import { invalidName, nameInvalid } from "../format/rules/fields/name-invalid.ts";
import { mismatchedName, nameMismatch } from "../format/rules/fields/name-mismatch.ts";
import { missingName, nameMissing } from "../format/rules/fields/name-missing.ts";
import type { RuleSettings } from "../format/rules/rule.ts";
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
export function readSkillHead(options: HeadOptions): SkillHead {
  return parseHead(readHeadText(options.file), options);
}

/** Understands what was read; apart, so that a processor need not do both by turns. */
export function parseHead(head: HeadText, options: HeadOptions): SkillHead {
  if (!head.ok) return head;
  const { metadata, diagnostics } = readMetadata(head.text, head.isAscii, options);
  const { stats } = head;
  return metadata === undefined
    ? { ok: true, stats, diagnostics }
    : { ok: true, stats, diagnostics, metadata };
}

function readMetadata(text: string, isAscii: boolean, options: HeadOptions): MetadataResult {
  const normal = normalizeText(text);
  const usual = readUsualHead(normal, isAscii, options.directoryName);
  if (usual !== undefined) {
    return { metadata: usual.metadata, diagnostics: checkName(normal, usual, options) };
  }
  const { file, directoryName, rules } = options;
  return readSkillMetadata(text, { directoryName, file, ...(rules && { rules }) });
}

const FRONTMATTER_START = "---\n".length;
const NONE: readonly Diagnostic[] = [];

/** Of a usual head only the name can be wrong. */
function checkName(
  text: string,
  { metadata: { name }, nameStart: start }: UsualHead,
  { file, directoryName, rules: settings }: HeadOptions,
): readonly Diagnostic[] {
  const hasName = start !== -1;
  const invalid = hasName ? invalidName(name) : undefined;
  const mismatch = hasName ? mismatchedName(name, directoryName) : undefined;
  if (hasName && invalid === undefined && mismatch === undefined) return NONE;
  const reporter = createReporter({ text, file, strict: false, settings });
  const span = { start, end: start + name.length };
  if (invalid !== undefined) reporter.report(nameInvalid, { ...span, ...invalid });
  if (mismatch !== undefined) reporter.report(nameMismatch, { ...span, ...mismatch });
  if (!hasName) {
    reporter.report(nameMissing, { start: FRONTMATTER_START, ...missingName(directoryName) });
  }
  return reporter.diagnostics;
}
