/** What tests use of this folder; sources import the files themselves. */

export { canonicalJson } from "./canonical-json.ts";
export { resumeAgent } from "./resume-agent.ts";
export { runAgent } from "./run-agent.ts";
