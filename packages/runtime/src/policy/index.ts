/** What tests use of this folder; sources import the files themselves. */

export { lineCommand } from "./match-commands.ts";
export { readRules } from "./decide.ts";
export { TOOLS, wordList } from "./policy-settings.ts";
