/** What tests use of this folder; sources import the files themselves. */

export { activateSkill } from "./activate-skill.ts";
export { readSkillContent } from "./skill-content.ts";
