/** What tests use of this folder; sources import the files themselves. */

export { applyChanges, discardChanges, recoverChanges } from "./apply.ts";
export { type Change, HeldChanges, type Manifest, restoreChanges } from "./change.ts";
export { refuseChanges } from "./collect.ts";
export { openView, probeView, type View } from "./view.ts";
