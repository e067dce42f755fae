import type { Failure } from "../failure.ts";
import type { InlineSkill, Lazy } from "../sources/skill-source.ts";
import { parseSkillPath } from "./skill-path.ts";

/** Where the files of a skill are: a folder (its path may itself be a link), or code. */
export type SkillFiles = { readonly directory: string } | { readonly inline: InlineSkill };

/**
 * Why a file of a skill is not given.
 *
 * - `path-invalid`: no path that could be one: empty, too long, backslashes, control characters.
 * - `path-outside`: it leads out of the skill, or has parts that could.
 * - `file-not-found`: there is no such file; `candidates` are near names.
 * - `not-a-file`: a folder, a pipe, a socket or a device.
 * - `link-refused`: a symbolic link, a file behind one, or a file with a second name (hard link).
 * - `file-too-large`: more than `maxBytes`; the hint says how to read a part.
 * - `section-not-found`: no heading is near the hint; `candidates` are headings.
 * - `range-invalid`: the lines asked for do not exist, or not in this order.
 * - `access-denied`: the system does not allow it.
 * - `file-changing`: the file or a folder was replaced while it was opened, again and again.
 * - `file-unreadable`: the system or the code behind the file failed.
 * - `directory-unreadable`: the skill's folder is gone or may not be read.
 */
export type FileFailureCode =
  | "access-denied"
  | "directory-unreadable"
  | "file-changing"
  | "file-not-found"
  | "file-too-large"
  | "file-unreadable"
  | "link-refused"
  | "not-a-file"
  | "path-invalid"
  | "path-outside"
  | "range-invalid"
  | "section-not-found";

export type FileFailure = Failure<FileFailureCode>;

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
