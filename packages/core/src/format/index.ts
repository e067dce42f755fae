export type { Diagnostic } from "./diagnostic.ts";
export { lintSkillText, type ParseOptions, type ParseResult, parseSkill } from "./parse-skill.ts";
export type { ParsedSkill } from "./draft.ts";
export { renderSkill, type RenderableSkill } from "./render-skill.ts";
