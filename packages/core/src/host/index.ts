/** What tests use of this folder; sources import the files themselves. */

export { callTool } from "./call-tool.ts";
export { openSkills } from "../registry/open-skills.ts";
