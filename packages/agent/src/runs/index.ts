/** What tests use of this folder; sources import the files themselves. */

export { boundConversation, foldRecords, historyChunks, turnOf } from "./conversation.ts";
export { RECORD_FILE } from "./file-store.ts";
export { pruneRuns } from "./prune-runs.ts";
export { isRunId } from "./run-store.ts";
export { createRunIds } from "./open-run.ts";
export { recordedBytes, redactFields, redactWhole } from "./redact-fields.ts";
export { replayRun } from "./replay.ts";
export { boundAttachments } from "./start-run.ts";
