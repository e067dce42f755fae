/** What tests use of this folder; sources import the files themselves. */

export { decodeIndex, encodeIndex } from "./encode-index.ts";
export { foldName } from "./skill-record.ts";
export { readStateFile, withStateLock } from "./state-file.ts";
export { openSwitchStore } from "./switch-store.ts";
export { createTrustDecision, openTrustStore, trustedRootTest } from "./trust-store.ts";
export { UniqueIds } from "./unique-ids.ts";
export { createSettler } from "./watch-folders.ts";
