import { parseSkill } from "../format/parse-skill.ts";
import { renderSkill } from "../format/render-skill.ts";
import type { FoundSkill, InlineSkill, SkillSource } from "./skill-source.ts";

/** Skills defined in code, held to the same rules as those in files. */
export function inlineSource(skills: readonly InlineSkill[], label = "inline"): SkillSource {
  const found = skills.map((skill): FoundSkill => {
    const { name, description, disableModelInvocation = false, userInvocable = true } = skill;
    const head = { name, description, disableModelInvocation, userInvocable };
    const { skill: parsed, diagnostics } = parseSkill(renderSkill(head), {
      file: `${label}:${name}`,
    });
    const base = { source: label, root: label, relativePath: name, diagnostics, inline: skill };
    return parsed === undefined ? base : { ...base, metadata: metadataOf(parsed) };
  });
  return { roots: [], scan: () => Promise.resolve({ skills: found, diagnostics: [] }) };
}

function metadataOf({
  name,
  description,
  disableModelInvocation,
  userInvocable,
  runMode,
  hiddenFromModel,
}: NonNullable<ReturnType<typeof parseSkill>["skill"]>) {
  return { name, description, disableModelInvocation, userInvocable, runMode, hiddenFromModel };
}
