/** What tests use of this folder; sources import the files themselves. */

export { type MergedSkill, mergeSkill, writeFolder } from "./merge-skill.ts";
export { mergeText, textOf, toLines } from "./merge-text.ts";
export { readPristine, savePristine } from "./pristine.ts";
