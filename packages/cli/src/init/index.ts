/** What tests use of this folder; sources import the files themselves. */

export { FIRST_CONFIGURATION } from "./first-configuration.ts";
export { withIgnoreRules } from "./plan-project.ts";
