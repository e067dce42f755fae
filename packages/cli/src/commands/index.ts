/** What tests use of this folder; sources import the files themselves. */

export { COMMAND_GROUPS, registerCommands } from "./command-groups.ts";
export { createProgram } from "./create-program.ts";
