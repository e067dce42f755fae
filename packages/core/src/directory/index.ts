/** What tests use of this folder; sources import the files themselves. */

export { applyFixes } from "./apply-fixes.ts";
export { fixSkill } from "./fix-skill.ts";
export { lintSkill } from "./lint-skill.ts";
export { specialFile } from "./rules/special-file.ts";
export type { DirectoryFinding } from "./skill-directory.ts";
