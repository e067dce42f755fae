/** What tests use of this folder; sources import the files themselves. */

export { CHANGE_STEPS, type ChangeStep, type OnStep } from "./change-step.ts";
export { folderMark } from "./files/folder-mark.ts";
export { folderNameProblem, overlap } from "./files/folder-name.ts";
export { pruneBackups } from "./history/prune-backups.ts";
export { undoChange } from "./history/undo-change.ts";
export { JOURNAL } from "./journal/journal.ts";
export { openRoot, type OpenRoot } from "./open-root.ts";
export { signedText } from "./signing/signed-text.ts";
export { openSigningKey } from "./signing/signing-key.ts";
