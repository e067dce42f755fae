/** What tests use of this folder; sources import the files themselves. */

export { callTool } from "./adapters/call-tool.ts";
export { openSkills } from "../registry/open-skills.ts";
