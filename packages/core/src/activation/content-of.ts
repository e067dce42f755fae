import type { SkillRecord } from "../registry/skill-record.ts";
import type { InlineSkill } from "../sources/skill-source.ts";
import { type ContentResult, readSkillContent } from "./skill-content.ts";

/** What a skill consists of, in a folder or in code. Code that throws is a failure like a file's. */
export async function contentOf(
  { path, name }: SkillRecord,
  inline: InlineSkill | undefined,
): Promise<ContentResult> {
  if (inline === undefined) return readSkillContent(path);
  const { inlineContent } = await import("../sources/inline-skills.ts");
  try {
    return await inlineContent(inline);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `the instructions of ${name} could not be made: ${reason}`;
    return { ok: false, code: "skill-unreadable", message };
  }
}
