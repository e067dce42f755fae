/** What tests use of this folder; sources import the files themselves. */

export { applyEvent } from "./apply-event.ts";
export { nextStep } from "./next-step.ts";
export { EMPTY_STATE, type RunState } from "./run-state.ts";
