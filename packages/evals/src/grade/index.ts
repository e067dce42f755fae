/** What tests use of this folder; sources import the files themselves. */

export { compareAnswers } from "./compare-answers.ts";
export { gradeSkills } from "./grade-skills.ts";
export { gradeTrial } from "./grade-trial.ts";
export { judgedMaterial } from "./judged-material.ts";
export { outcomeOf } from "./outcome-of.ts";
