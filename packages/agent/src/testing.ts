/** What tests use of this folder; sources import the files themselves. */

export { applyPlan, firstPlan, type PlanUpdate, readPlanUpdate } from "./actions/plan.ts";
export { canonicalJson, findJson, readJson } from "./actions/read-json.ts";
export { type ReadCall, type ReadOptions, readTurn, type Said } from "./actions/read-turn.ts";
export { buildRequest, requestDigest } from "./context/build-request.ts";
export { fitEntries, summarize } from "./context/fit-entries.ts";
export type { ContextEntry } from "./events/run-event.ts";
export { applyEvent } from "./loop/apply-event.ts";
export { AnswerStream } from "./loop/ask-model.ts";
export {
  describeLeft,
  describePart,
  fullBudget,
  isLow,
  nearEnd,
  NO_USAGE,
  requireBudget,
  slice,
  sumUsage,
  tightened,
  usedUp,
} from "./loop/budget.ts";
export { nextStep } from "./loop/next-step.ts";
export { EMPTY_STATE, type RunState } from "./loop/run-state.ts";
export { resumeAgent, runAgent } from "./run-agent.ts";
