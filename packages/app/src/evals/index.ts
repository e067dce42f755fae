/** What tests use of this folder; sources import the files themselves. */

export { changesBetween, evalFingerprint, touchedCases } from "./fingerprint.ts";
export { placedModel } from "./model.ts";
export { lostCases, stressSkills } from "./stress.ts";
