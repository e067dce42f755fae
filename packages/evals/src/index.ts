export type {
  CaseConstraints,
  CaseDialect,
  CaseFile,
  CaseOrigin,
  CaseProblem,
  CaseProblemCode,
  EvalCase,
  Expected,
  ExpectedSkills,
  OutputCheck,
  OutputCheckKind,
  UnsupportedGrader,
} from "./cases/eval-case.ts";
export type { ReadCases, ReadCasesOptions } from "./cases/read-cases.ts";
export type { GraderRequest, GraderRun, RunGrader } from "./checks/check-verdict.ts";
export { type CompareFailureCode, compareResults } from "./compare/compare-results.ts";
export { comparisonExitCode } from "./compare/decide-comparison.ts";
export { type CaseFlip, type CaseRetry, planRetries } from "./compare/find-flips.ts";
export type {
  CompareOptions,
  ComparedCases,
  ComparisonStatus,
  CostFinding,
  CostMeasure,
  ErrorCount,
  EvalComparison,
  SetupChanges,
} from "./compare/eval-comparison.ts";
export type { ImportCasesOptions, ImportedCases, ImportFailure } from "./import/import-cases.ts";
export type { ImportLoss } from "./import/import-draft.ts";
export type { MadeFile, MadeFiles } from "./checks/trial-files.ts";
export { createModelJudge, type ModelJudgeOptions } from "./grade/create-model-judge.ts";
export type { GradeEnvironment } from "./grade/grade-trial.ts";
export type { Grade, Metric, Outcome } from "./grade/grade.ts";
export type {
  Judge,
  JudgeQuestion,
  JudgeVerdict,
  Preference,
  PreferenceQuestion,
} from "./grade/judge.ts";
export { type EvalRuleCode, evalRules } from "./lint/eval-rules.ts";
export { lintCases } from "./lint/lint-cases.ts";
export type {
  CatalogSkill,
  EvalClaim,
  EvalDiagnostic,
  LintCasesOptions,
} from "./lint/lint-context.ts";
export type {
  AnswerPreference,
  Arm,
  ComparedAnswers,
  EvalResults,
  EvalSetup,
  TrialResult,
} from "./results/eval-results.ts";
export { casesDigest, evalDigest } from "./results/eval-setup.ts";
export type { ReadResultsResult } from "./results/results-file.ts";
export { junitReport } from "./report/junit-report.ts";
export { htmlReport } from "./report/html/html-report.ts";
export type { ReportInput } from "./report/report-text.ts";
export { markdownReport } from "./report/markdown-report.ts";
export {
  type ReportColors,
  type TerminalOptions,
  terminalSummary,
  verdictLines,
} from "./report/terminal-summary.ts";
export type { CompareArmsOptions } from "./run/compare-arms.ts";
export { createSandboxedGrader } from "./run/sandboxed-grader.ts";
export type { EvalJournal, OpenJournalResult } from "./run/file-journal.ts";
export {
  folderBlobs,
  memoryBlobs,
  memoryBudget,
  type MemoryBudgetOptions,
  memoryJournal,
  memoryRateLimit,
  type MemoryRateOptions,
} from "./run/local-ports.ts";
export { type AnswerPair, pairAnswers, type PairAnswersOptions } from "./run/pair-answers.ts";
export type {
  BlobStore,
  Claim,
  EvalBudget,
  RateLimit,
  Spending,
  TrialJournal,
} from "./run/ports.ts";
export type { OpenEvalOptions, PublishEvalOptions } from "./run/published-eval.ts";
export type { ArmOptions, EvalOptions } from "./run/run-evals.ts";
export type { RunTrialOptions } from "./run/run-trial.ts";
export { withSharedRate } from "./run/shared-rate.ts";
export {
  type PlannedArm,
  type PlanOptions,
  planTrials,
  type TrialJob,
  trialKey,
  trialRunId,
} from "./run/trial-job.ts";
export type { EvalInputs, TrialPlace, TrialPolicy, TrialWorker } from "./run/trial-worker.ts";
export type { TrialError } from "./run/trial-error.ts";
export { parseSequence, type ParsedSequence } from "./sequence/parse-sequence.ts";
export type { Rate } from "./statistics/rates.ts";
export { formatRate } from "./statistics/format-numbers.ts";
export {
  adviseDescription,
  type AdviseDescriptionOptions,
  type DescriptionAdvice,
} from "./suggest/advise-description.ts";
export {
  type SuggestedNegative,
  suggestNegatives,
  type SuggestNegativesOptions,
} from "./suggest/suggest-negatives.ts";
export { verdictExitCode, type VerdictOptions } from "./summary/verdict.ts";
export type {
  CaseSummary,
  EvalSummary,
  ExpectationCount,
  Verdict,
} from "./summary/eval-summary.ts";
export type { PreferenceSummary } from "./summary/summarize-preferences.ts";
export { summarize } from "./summary/summarize.ts";
export type { Trajectory, TrajectoryStep, TrajectoryUsage } from "./trajectory/trajectory.ts";
export { trajectoryOf } from "./trajectory/trajectory-of.ts";
export { evaluateTrigger } from "./trigger/evaluate-trigger.ts";
export type { TriggerMistake, TriggerSummary } from "./trigger/trigger-summary.ts";
export type { FoundCaseFile, FoundCaseFiles, FoundKind } from "./cases/find-case-files.ts";
export {
  readCases,
  findCaseFiles,
  importCases,
  compareAnswers,
  gradeTrial,
  evalSetup,
  readResults,
  saveResults,
  writeWorkspace,
  compareArms,
  openJournal,
  openPublishedEval,
  publishEval,
  runEvals,
  runTrial,
} from "./lazy.ts";
