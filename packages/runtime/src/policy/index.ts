/** What tests use of this folder; sources import the files themselves. */

export { lineCommand } from "./match-commands.ts";
export { permittingRules, restrictingRules } from "./policy-rule.ts";
export { wordList } from "./tools.ts";
export { RISK_CLASSES } from "./tools.ts";
