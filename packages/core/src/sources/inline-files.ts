import { parseSkillPath } from "../files/skill-path.ts";
import type { FileSource, InlineSkill } from "./skill-source.ts";

const SKILL_FILE = "SKILL.md";

/**
 * The files of a skill that lies in no folder, by path, and where their content comes from. Paths that
 * could leave a folder are left out.
 */
export function inlineFiles(skill: InlineSkill): Map<string, FileSource> {
  const files = new Map<string, FileSource>();
  for (const [key, content] of Object.entries(skill.files ?? {})) {
    const parsed = parseSkillPath(key);
    if (parsed.ok && parsed.path !== "") files.set(parsed.path, content);
  }
  for (const { path, text } of skill.scripts ?? []) files.set(path, text);
  // Some sources have the file itself.
  if (!files.has(SKILL_FILE)) files.set(SKILL_FILE, () => skillText(skill));
  return files;
}

/** SKILL.md as it would be in a folder. */
export async function skillText(skill: InlineSkill): Promise<string> {
  if (skill.skillFile !== undefined) return skill.skillFile();
  const { renderSkill } = await import("../format/render-skill.ts");
  const { parseToolRules } = await import("../format/tool-rules.ts");
  const { name, description, instructions, metadata, allowedTools } = skill;
  const body = typeof instructions === "function" ? await instructions() : instructions;
  return renderSkill({
    name,
    description,
    body,
    ...(metadata && { metadata }),
    ...(allowedTools !== undefined && { allowedTools: parseToolRules(allowedTools).rules }),
    disableModelInvocation: skill.disableModelInvocation ?? false,
    userInvocable: skill.userInvocable ?? true,
  });
}

export async function resolveContent(content: FileSource): Promise<string | Uint8Array> {
  if (typeof content === "function") return content();
  return isStored(content) ? content.read() : content;
}

/** In bytes; undefined where only reading would tell. */
export function sizeOf(content: FileSource): number | undefined {
  if (typeof content === "function") return undefined;
  return isStored(content) ? content.size : Buffer.byteLength(content);
}

export function isStored(
  content: FileSource,
): content is Extract<FileSource, { readonly read: unknown }> {
  return typeof content === "object" && "read" in content;
}
