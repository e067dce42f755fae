/** What tests use of this folder; sources import the files themselves. */

export { buildRequest } from "./build-request.ts";
export { fitEntries } from "./fit-entries.ts";
export { requestDigest } from "./request-digest.ts";
export { summarize } from "./shorten.ts";
