/** What tests use of this folder; sources import the files themselves. */

export { actionDefinitions } from "./action.ts";
export { applyPlan, firstPlan, type PlanUpdate, readPlanUpdate } from "./plan.ts";
export { canonicalJson, findJson, readJson } from "./read-json.ts";
export { type ReadCall, type ReadOptions, readTurn, readWritten, type Said } from "./read-turn.ts";
