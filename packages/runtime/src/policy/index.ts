/** What tests use of this folder; sources import the files themselves. */

export { reachableCommands } from "./command/reachable-commands.ts";
export { permittingRules, restrictingRules } from "./policy-rule.ts";
export { wordList } from "./tools.ts";
