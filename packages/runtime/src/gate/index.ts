/** What tests use of this folder; sources import the files themselves. */

export { runPolicyForTool, settingsForTool } from "./rules-for-tool.ts";
export { SpillFile } from "./run-recorded.ts";
export { commandLineRunner } from "./create-command-runner.ts";
