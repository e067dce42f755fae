/** What tests use of this folder; sources import the files themselves. */

export { installSkills } from "./install-skills.ts";
export { outdatedSkills } from "./outdated-skills.ts";
export { restoreSkills } from "./restore-skills.ts";
export { pruneRoot, undoLast } from "./undo-last.ts";
export { uninstallSkills } from "./uninstall-skills.ts";
export { updateSkills } from "./update-skills.ts";
