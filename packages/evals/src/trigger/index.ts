/** What tests use of this folder; sources import the files themselves. */

export { includesSkill } from "./judge-selection.ts";
