/** What tests use of this folder; sources import the files themselves. */

export { applyPlan, firstPlan, type PlanUpdate, readPlanUpdate } from "./plan.ts";
export { findJson, readJson } from "./read-json.ts";
export { type ReadCall, type ReadOptions, readTurn, type Said } from "./read-turn.ts";
