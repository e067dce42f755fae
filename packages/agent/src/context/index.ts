/** What tests use of this folder; sources import the files themselves. */

export { buildRequest, requestDigest } from "./build-request.ts";
export { fitEntries, summarize } from "./fit-entries.ts";
export type { ContextEntry } from "../events/run-event.ts";
