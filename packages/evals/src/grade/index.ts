/** What tests use of this folder; sources import the files themselves. */

export { compareAnswers } from "./judge.ts";
export { gradeSkills, gradeTrial } from "./grade-trial.ts";
export { judgedMaterial } from "./create-model-judge.ts";
export { outcomeOf } from "./grade.ts";
