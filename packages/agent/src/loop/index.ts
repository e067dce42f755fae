/** What tests use of this folder; sources import the files themselves. */

export { applyEvent } from "./apply-event.ts";
export { AnswerStream } from "./ask-model.ts";
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
} from "./budget.ts";
export { nextStep } from "./next-step.ts";
export { EMPTY_STATE, type RunState } from "./run-state.ts";
