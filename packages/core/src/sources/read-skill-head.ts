import type { BigIntStats } from "node:fs";
import type { Diagnostic } from "../format/diagnostic.ts";
import type { MetadataResult } from "../format/parse-skill.ts";
import {
  createLocator,
  type FindingWords,
  normalizeText,
  type Rule,
  type RuleSettings,
  toDiagnostic,
} from "../format/draft.ts";
import {
  invalidName,
  mismatchedName,
  nameInvalid,
  nameMismatch,
} from "../format/rules/field-rules.ts";
import { readHeadText, type Text } from "./read-head-text.ts";
import { readUsualHead, spanOfName } from "./usual-head.ts";

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
  const head = readHeadText(options.file);
  return head.ok ? { ok: true, stats: head.stats, ...(await parseHead(head, options)) } : head;
}

/**
 * Parses what was read. Usual heads are parsed at once; the full parser is loaded for the first
 * head that is not usual, so that its result is a promise.
 */
export function parseHead(
  { text, isAscii }: Text,
  options: HeadOptions,
): MetadataResult | Promise<MetadataResult> {
  const normal = normalizeText(text);
  const usual = readUsualHead(normal, isAscii, options.directoryName);
  if (usual === undefined) return parseSpecial(text, options);
  const { metadata, isFaultless } = usual;
  const diagnostics = isFaultless ? NONE : checkName(normal, metadata.name, options);
  return { metadata, diagnostics };
}

async function parseSpecial(
  text: string,
  { file, directoryName, rules }: HeadOptions,
): Promise<MetadataResult> {
  const { readSkillMetadata } = await import("../format/parse-skill.ts");
  return readSkillMetadata(text, { directoryName, file, ...(rules && { rules }) });
}

const NONE: readonly Diagnostic[] = [];

/** The rules that a usual head can break, in the order in which the parser checks them. */
function checkName(text: string, name: string, options: HeadOptions): readonly Diagnostic[] {
  const { file, directoryName, rules: settings } = options;
  const context = { file, strict: false, settings, locate: createLocator(text) };
  const { start, end } = spanOfName(text, name);
  const diagnostics: Diagnostic[] = [];
  const report = (rule: Rule, words: FindingWords | undefined) => {
    if (words === undefined) return;
    const { message, hint } = words;
    const diagnostic = toDiagnostic(rule, { message, start, end, hint }, context);
    if (diagnostic !== undefined) diagnostics.push(diagnostic);
  };
  report(nameInvalid, invalidName(name));
  report(nameMismatch, mismatchedName(name, directoryName));
  return diagnostics;
}
