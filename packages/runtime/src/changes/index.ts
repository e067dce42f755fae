/** What tests use of this folder; sources import the files themselves. */

export { applyChanges, discardChanges, recoverChanges } from "./apply.ts";
export type { Change, Manifest } from "./change.ts";
export { HeldChanges, restoreChanges } from "./held.ts";
export { refuseChanges } from "./collect.ts";
export { openView, probeView, type View } from "./view.ts";
