/** What tests use of this folder; sources import the files themselves. */

export { decodeIndex, encodeIndex } from "./disk-cache.ts";
export { foldName } from "./skill-record.ts";
export { readStateFile, withStateLock } from "./state-file.ts";
export { openSwitchStore } from "./switch-store.ts";
export { createTrustDecision, openTrustStore, trustedRootTest } from "./trust-store.ts";
export { UniqueIds } from "./snapshot.ts";
export { createSettler } from "./watch-folders.ts";
