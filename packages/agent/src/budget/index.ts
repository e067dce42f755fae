/** What tests use of this folder; sources import the files themselves. */

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
