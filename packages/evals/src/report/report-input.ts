import type { EvalComparison } from "../compare/eval-comparison.ts";
import type { EvalResults } from "../results/eval-results.ts";
import type { EvalSummary } from "../summary/eval-summary.ts";

/** What every report for a person is made of. */
export interface ReportInput {
  readonly results: EvalResults;
  /** Of `results`. */
  readonly summary: EvalSummary;
  /** Of `results` with what was before. */
  readonly comparison?: EvalComparison;
  /** The run that is shown beside: what was before. */
  readonly other?: EvalResults;
}
