/** What tests use of this folder; sources import the files themselves. */

export { applyFixes, fixSkill } from "./fix-skill.ts";
export { lintSkill } from "./lint-skill.ts";
export { specialFile } from "./directory-rules.ts";
export type { DirectoryFinding } from "./skill-directory.ts";
