import type { InlineSkill, Lazy } from "../sources/skill-source.ts";
import { parseSkillPath } from "./skill-path.ts";

/** Where the files of a skill are: a folder (its path may itself be a link), or code. */
export type SkillFiles = { readonly directory: string } | { readonly inline: InlineSkill };

const SKILL_FILE = "SKILL.md";

/** The paths of a skill defined in code and where their content comes from. */
export function inlineFiles(skill: InlineSkill): Map<string, Lazy<string | Uint8Array>> {
  const files = new Map<string, Lazy<string | Uint8Array>>();
  for (const [key, content] of Object.entries(skill.files ?? {})) {
    const parsed = parseSkillPath(key);
    if (parsed.ok && parsed.path !== "") files.set(parsed.path, content);
  }
  // Some sources have the file itself.
  if (!files.has(SKILL_FILE)) files.set(SKILL_FILE, () => skillText(skill));
  return files;
}

/** As it would stand in a folder; the digest is over the same text. */
async function skillText({ name, description, instructions }: InlineSkill): Promise<string> {
  const { renderSkill } = await import("../format/render-skill.ts");
  return renderSkill({ name, description, body: await resolveContent(instructions) });
}

export async function resolveContent<Content extends string | Uint8Array>(
  content: Lazy<Content>,
): Promise<Content> {
  return typeof content === "function" ? content() : content;
}
