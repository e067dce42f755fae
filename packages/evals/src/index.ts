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
