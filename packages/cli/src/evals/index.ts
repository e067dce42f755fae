/** What tests use of this folder; sources import the files themselves. */

export { boundHeap } from "./bound-heap.ts";
export { changesBetween, evalFingerprint, touchedCases } from "./eval-fingerprint.ts";
export { limitedModel } from "./limited-model.ts";
export { placedJudge } from "./placed-judge.ts";
export { placedModel } from "./placed-model.ts";
export { stressSkills } from "./stress-skills.ts";
export { lostCases } from "./stressed-trigger.ts";
