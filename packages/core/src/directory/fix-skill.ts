import { chmod, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryPath } from "./temporary-path.ts";
import { normalizeText } from "../format/text/normalize-text.ts";
import { applyFixes } from "./apply-fixes.ts";
import { SkillwrightError } from "../skillwright-error.ts";
import { leadsOut } from "./leads-out.ts";
import { lintSkill, type LintOptions } from "./lint-skill.ts";
import { openConfined } from "./open-confined.ts";
import { SKILL_FILE } from "./read-skill-file.ts";

export interface FixOptions extends LintOptions {
  /** The skill must really lie in this folder: a link that leads out of it is refused. */
  readonly within?: string;
}

/** A fix may uncover another one; more rounds than this would be a loop. */
const MAX_ROUNDS = 4;

/**
 * Mends in SKILL.md what can be mended without asking and returns how many diagnostics that were.
 * Everything else of the file stays byte for byte, permissions too; it changes in one step or not
 * at all. A file that is not UTF-8 is left alone.
 */
export async function fixSkill(directory: string, options: FixOptions = {}): Promise<number> {
  let total = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { text, diagnostics } = await lintSkill(directory, options);
    if (!diagnostics.some(({ fix }) => fix !== undefined)) break;
    const root = await realpath(directory);
    if (options.within !== undefined && (await leadsOut(options.within, root))) {
      throw new SkillwrightError("link-refused", `it is a link to ${root}; fix the skill there`);
    }
    const original = await readOriginal(root);
    if (original === undefined || normalizeText(original.text) !== text) break;
    const mended = applyFixes(original.text, diagnostics);
    if (mended.text === original.text) break;
    await replaceSkillFile(root, mended.text, original.mode);
    total += mended.fixed;
  }
  return total;
}

interface OriginalFile {
  readonly text: string;
  readonly mode: number;
}

async function readOriginal(root: string): Promise<OriginalFile | undefined> {
  const handle = await openConfined(root, SKILL_FILE);
  try {
    const [bytes, stats] = await Promise.all([handle.readFile(), handle.stat()]);
    const text = bytes.toString("utf8");
    return Buffer.from(text).equals(bytes) ? { text, mode: stats.mode & 0o777 } : undefined;
  } finally {
    await handle.close();
  }
}

async function replaceSkillFile(root: string, text: string, mode: number): Promise<void> {
  const temporary = temporaryPath(join(root, SKILL_FILE));
  try {
    await writeFile(temporary, text, { flag: "wx", mode });
    // The umask may have taken bits away.
    await chmod(temporary, mode);
    await rename(temporary, join(root, SKILL_FILE));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
