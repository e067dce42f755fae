export {
  combineDigests,
  fileDigests,
  type FileDigest,
  skillDigest,
} from "./directory/skill-digest.ts";
export { directoryRules } from "./directory/directory-rules.ts";
export { findSkills, type FoundSkills } from "./directory/find-skills.ts";
export { fixSkill } from "./directory/fix-skill.ts";
export { lintSkill, type LintOptions, type LintResult } from "./directory/lint-skill.ts";
export { estimateTokens } from "./format/body/estimate-tokens.ts";
export { findReferences, type FileReference } from "./format/body/find-references.ts";
export { type Heading, outlineBody } from "./format/body/outline-body.ts";
export type { Diagnostic, Effect, Severity, TextEdit } from "./format/diagnostic.ts";
export {
  lintSkillText,
  type MetadataResult,
  type ParseOptions,
  type ParseResult,
  parseSkill,
  readSkillMetadata,
} from "./format/parse-skill.ts";
export type { ParsedSkill, RunMode, SkillMetadata } from "./format/parsed-skill.ts";
export { renderSkill, type RenderableSkill } from "./format/render-skill.ts";
export type { Rule, RuleSettings } from "./format/rules/rule.ts";
export { fieldsRules, qualityRules, safetyRules, syntaxRules } from "./format/rules/text-rules.ts";
export { nearNames } from "./format/text/near-names.ts";
export { nameProblem, slugify } from "./format/text/skill-name.ts";
export { parseToolRules } from "./format/tool-rules/parse-tool-rules.ts";
export {
  formatToolRules,
  type ToolRule,
  type ToolRulesResult,
} from "./format/tool-rules/tool-rule.ts";
export { SkillwrightError, type SkillwrightErrorCode } from "./skillwright-error.ts";
