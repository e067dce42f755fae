/** What tests use of this folder; sources import the files themselves. */

export { isUnusual } from "./is-unusual.ts";
export { parseHead, readSkillHead } from "./read-skill-head.ts";
export { readUsualHead } from "./read-usual-head.ts";
export { scanRoot } from "./scan-root.ts";
export type { IndexedFolder, IndexedSkill } from "./skill-source.ts";
