/** What tests use of this folder; sources import the files themselves. */

export { isUnusual, readUsualHead, UNUSUAL } from "./usual-head.ts";
export { parseHead, readSkillHead } from "./read-skill-head.ts";
export { scanRoot } from "./scan-root.ts";
export type { IndexedFolder, IndexedSkill } from "./skill-source.ts";
