/** A part of the step was stopped where it can go on: the step has not ended, and is not undone. */
export class StepStopped extends Error {}
