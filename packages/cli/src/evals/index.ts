/** What tests use of this folder; sources import the files themselves. */

export { boundHeap } from "./bound-heap.ts";
export { changesBetween, evalFingerprint, touchedCases } from "./eval-fingerprint.ts";
export { placedJudge } from "./eval-graders.ts";
export { placedModel } from "./placed-model.ts";
export { lostCases, stressSkills } from "./stress.ts";
export { settleComparison } from "./settle-comparison.ts";
