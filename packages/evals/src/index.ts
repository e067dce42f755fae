export type {
  CaseConstraints,
  CaseDialect,
  CaseFile,
  CaseOrigin,
  EvalCase,
  Expected,
  ExpectedSkills,
  OutputCheck,
  OutputCheckKind,
} from "./cases/eval-case.ts";
export type { Grade, Metric, Outcome } from "./grade/grade.ts";
export type { Arm, EvalResults, EvalSetup, TrialResult } from "./results/eval-results.ts";
export type { Trajectory, TrajectoryStep, TrajectoryUsage } from "./trajectory/trajectory.ts";
export { casesDigest, evalSetup } from "./results/eval-setup.ts";
export { readResults, type ReadResultsResult, saveResults } from "./results/results-file.ts";
export { junitReport } from "./report/junit-report.ts";
export { writeWorkspace } from "./report/workspace/write-workspace.ts";
export { createSandboxedGrader } from "./run/create-sandboxed-grader.ts";
export { type EvalJournal, openJournal, type OpenJournalResult } from "./run/eval-journal.ts";
export type { ArmOptions, EvalOptions, TrialPlace, TrialPolicy } from "./run/eval-options.ts";
export { runEvals } from "./run/run-evals.ts";
export type { TrialError } from "./run/trial-error.ts";
