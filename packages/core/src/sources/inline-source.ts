import type { FoundSkill, InlineSkill, SkillSource } from "./skill-source.ts";

/** Skills defined in code. */
export function inlineSource(skills: readonly InlineSkill[], label = "inline"): SkillSource {
  let found: readonly FoundSkill[] | undefined;
  return {
    roots: [],
    async scan() {
      const { findInline } = await import("./inline-skills.ts");
      found ??= findInline(skills, label);
      return { skills: found, diagnostics: [] };
    },
  };
}
