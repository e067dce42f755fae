/** What tests use of this folder; sources import the files themselves. */

export { compareArms } from "./compare-arms.ts";
export { openJournal } from "./file-journal.ts";
export { runEvals } from "./run-evals.ts";
export { TrialEnd } from "./trial-end.ts";
export { TrialFile } from "./trial-file.ts";
