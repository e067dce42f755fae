/** What tests use of this folder; sources import the files themselves. */

export { alignPatterns } from "./align.ts";
export { checkSequence, evaluateRule } from "./check-sequence.ts";
export {
  type Condition,
  type Constraint,
  STEP_ACTIONS,
  type StepPattern,
  type StepWord,
} from "./constraint.ts";
export { formatPattern, formatSequence } from "./format-sequence.ts";
export { matchApart } from "./match-apart.ts";
export { matchGlob } from "./match-step.ts";
