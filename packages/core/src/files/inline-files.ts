import type { InlineSkill, Lazy } from "../sources/skill-source.ts";
import { parseSkillPath } from "./skill-path.ts";

const SKILL_FILE = "SKILL.md";

/** The paths of a skill defined in code and where their text comes from. */
export function inlineFiles(skill: InlineSkill): Map<string, Lazy<string>> {
  const files = new Map<string, Lazy<string>>();
  for (const [key, text] of Object.entries(skill.files ?? {})) {
    const parsed = parseSkillPath(key);
    if (parsed.ok && parsed.path !== "") files.set(parsed.path, text);
  }
  return files.set(SKILL_FILE, () => skillText(skill));
}

/** As it would stand in a folder; the digest is over the same text. */
async function skillText({ name, description, instructions }: InlineSkill): Promise<string> {
  const { renderSkill } = await import("../format/render-skill.ts");
  return renderSkill({ name, description, body: await resolveText(instructions) });
}

export async function resolveText(text: Lazy<string>): Promise<string> {
  return typeof text === "function" ? text() : text;
}
