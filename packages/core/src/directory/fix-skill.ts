import { randomBytes } from "node:crypto";
import { chmod, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openConfined } from "./open-confined.ts";
import { applyFixes } from "./apply-fixes.ts";
import { lintSkill, type LintOptions } from "./lint-skill.ts";
import { SKILL_FILE } from "./read-skill-file.ts";

/** A fix may uncover another one; more rounds than this would be a loop. */
const MAX_ROUNDS = 4;

/**
 * Mends in SKILL.md what can be mended without asking, keeping newlines, BOM and permissions, and
 * returns how many diagnostics that were. The file changes in one step or not at all.
 */
export async function fixSkill(directory: string, options: LintOptions = {}): Promise<number> {
  let total = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { text, diagnostics } = await lintSkill(directory, options);
    const { text: mended, fixed } = applyFixes(text, diagnostics);
    if (fixed === 0 || mended === text) break;
    await replaceSkillFile(await realpath(directory), mended);
    total += fixed;
  }
  return total;
}

async function replaceSkillFile(realDirectory: string, text: string): Promise<void> {
  const file = join(realDirectory, SKILL_FILE);
  const handle = await openConfined(realDirectory, SKILL_FILE);
  const [original, { mode }] = await Promise.all([handle.readFile("utf8"), handle.stat()]);
  await handle.close();
  const temporary = join(realDirectory, `.${SKILL_FILE}.${randomBytes(6).toString("hex")}`);
  try {
    await writeFile(temporary, inStyleOf(original, text), { flag: "wx", mode: mode & 0o777 });
    await chmod(temporary, mode & 0o777);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Newlines and BOM as the author's editor wrote them. */
function inStyleOf(original: string, text: string): string {
  const bom = original.startsWith("\uFEFF") ? "\uFEFF" : "";
  const newline = original.includes("\r\n") ? "\r\n" : original.includes("\r") ? "\r" : "\n";
  return bom + (newline === "\n" ? text : text.replaceAll("\n", newline));
}
