/** What tests use of this folder; sources import the files themselves. */

export { lockedSkill } from "./locked-skill.ts";
export { readFolder } from "./read-folder.ts";
export { parseLock } from "./read-lock.ts";
export { renderLock } from "./render-lock.ts";
export { renderSharedLock } from "./render-shared-lock.ts";
export { originOfShared } from "./shared-entry.ts";
export { hasSharedHash, sharedFiles, sharedHash } from "./shared-hash.ts";
export { parseSharedLock, readSharedLock, type SharedEntry } from "./shared-lock.ts";
