/** What tests use of this folder; sources import the files themselves. */

export { canRunAway, checkSequence } from "./check-sequence.ts";
export { matchGlob } from "./match-steps.ts";
export { STEP_ACTIONS, type StepWord } from "./parse-sequence.ts";
