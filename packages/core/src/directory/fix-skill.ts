import { closeSync, readFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Diagnostic, TextEdit } from "../format/diagnostic.ts";
import { normalizeText } from "../format/draft.ts";
import { openConfined } from "../internal/confined.ts";
import { writeAtomic } from "../internal/files.ts";
import { leadsOut } from "../internal/leads-out.ts";
import { SkillwrightError } from "../skillwright-error.ts";
import { type LintOptions, lintSkill } from "./lint-skill.ts";
import { SKILL_FILE } from "./skill-files.ts";

interface FixResult {
  readonly text: string;
  /** How many diagnostics were fixed. */
  readonly fixed: number;
}

/**
 * Applies the fixes that diagnostics carry to the file they were made for, as it is on disk: edits
 * count in normalised text, and BOM and newlines outside of them stay as they are. A fix that
 * overlaps an earlier one is left for the next round.
 */
export function applyFixes(original: string, diagnostics: readonly Diagnostic[]): FixResult {
  const accepted: TextEdit[] = [];
  let fixed = 0;
  for (const { fix } of diagnostics) {
    if (fix === undefined || fix.some((edit) => accepted.some((other) => overlap(edit, other)))) {
      continue;
    }
    accepted.push(...fix);
    fixed++;
  }
  return { text: applyEdits(original, accepted), fixed };
}

function applyEdits(original: string, edits: readonly TextEdit[]): string {
  const toOriginal = createOffsetMap(original);
  let result = "";
  let from = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    result += original.slice(from, toOriginal(start)) + text;
    from = toOriginal(end);
  }
  return result + original.slice(from);
}

/** From offsets in the normalised text to those in the original; to be asked in ascending order. */
function createOffsetMap(original: string): (offset: number) => number {
  let inOriginal = original.startsWith("\uFEFF") ? 1 : 0;
  let inNormalized = 0;
  return (offset) => {
    for (; inNormalized < offset; inNormalized++) {
      inOriginal += original.startsWith("\r\n", inOriginal) ? 2 : 1;
    }
    return inOriginal;
  };
}

function overlap(a: TextEdit, b: TextEdit): boolean {
  return (a.start < b.end && b.start < a.end) || (a.start === b.start && a.end === b.end);
}

export interface FixOptions extends LintOptions {
  /** The skill must really lie in this folder: a link that leads out of it is refused. */
  readonly within?: string;
}

/** A fix may uncover another one; more rounds than this would be a loop. */
const MAX_ROUNDS = 4;

export async function fixSkill(directory: string, options: FixOptions = {}): Promise<number> {
  let total = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { within, ...lint } = options;
    const { text, diagnostics } = await lintSkill(directory, lint);
    if (!diagnostics.some(({ fix }) => fix !== undefined)) break;
    const root = await realpath(directory);
    if (within !== undefined && leadsOut(within, root)) {
      throw new SkillwrightError("link-refused", `it is a link to ${root}; fix the skill there`);
    }
    const original = await readOriginal(root);
    if (original === undefined || normalizeText(original.text) !== text) break;
    const fixed = applyFixes(original.text, diagnostics);
    if (fixed.text === original.text) break;
    writeAtomic(join(root, SKILL_FILE), fixed.text, { mode: original.mode });
    total += fixed.fixed;
  }
  return total;
}

interface OriginalFile {
  readonly text: string;
  readonly mode: number;
}

async function readOriginal(root: string): Promise<OriginalFile | undefined> {
  const { descriptor, stats } = await openConfined(root, SKILL_FILE);
  try {
    const bytes = readFileSync(descriptor);
    const text = bytes.toString("utf8");
    return Buffer.from(text).equals(bytes) ? { text, mode: stats.mode & 0o777 } : undefined;
  } finally {
    closeSync(descriptor);
  }
}
