/** What tests use of this folder; sources import the files themselves. */

export { boundConversation, historyChunks, turnOf } from "./conversation.ts";
export { isRunId, RECORD_FILE } from "./file-store.ts";
export { foldRecords } from "./fold-records.ts";
export { lastConversation } from "./last-conversation.ts";
export { createRunIds } from "./open-run.ts";
export { pruneRuns } from "./prune-runs.ts";
export { redactFields, redactWhole } from "./redact-fields.ts";
export { replayRun } from "./replay/replay-run.ts";
export { recordedBytes } from "./require-room.ts";
export { boundAttachments } from "./start-run.ts";
