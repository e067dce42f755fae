import type { InlineSkill } from "../sources/skill-source.ts";

/** Where the files of a skill are: a folder (its path may itself be a link), or code. */
export type SkillFiles = { readonly directory: string } | { readonly inline: InlineSkill };
