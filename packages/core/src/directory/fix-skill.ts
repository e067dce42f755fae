import { closeSync, readFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { openConfined } from "../internal/confined.ts";
import { writeAtomic } from "../internal/files.ts";
import { normalizeText } from "../format/text/normalize-text.ts";
import { applyFixes } from "./apply-fixes.ts";
import { lintSkill, type LintOptions } from "./lint-skill.ts";
import { SKILL_FILE } from "./read-skill-file.ts";

/** A fix may uncover another one; more rounds than this would be a loop. */
const MAX_ROUNDS = 4;

export async function fixSkill(directory: string, options: LintOptions = {}): Promise<number> {
  let total = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { text, diagnostics } = await lintSkill(directory, options);
    if (!diagnostics.some(({ fix }) => fix !== undefined)) break;
    const root = await realpath(directory);
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
