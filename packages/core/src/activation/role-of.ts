import { parseSkill } from "../format/parse-skill.ts";
import type { SkillRecord } from "../registry/skill-record.ts";
import type { InlineSkill } from "../sources/skill-source.ts";
import { readSkillContent } from "./skill-content.ts";

/** `metadata.role`: a coordinator says how other skills work together, and so comes before them. */
export async function roleOf(
  record: SkillRecord,
  inline: InlineSkill | undefined,
): Promise<string | undefined> {
  if (inline !== undefined) return inline.metadata?.["role"];
  const content = await readSkillContent(record.path);
  return content.ok ? parseSkill(content.text).skill?.metadata["role"] : undefined;
}
