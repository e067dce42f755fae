import type { Failure } from "@skillwright/core";
import type { CompareOptions } from "./compare-options.ts";
import type { ComparisonStatus, EvalComparison } from "./eval-comparison.ts";

const EXIT_CODES: Readonly<Record<ComparisonStatus, 0 | 1 | 4>> = {
  same: 0,
  better: 0,
  inconclusive: 0,
  regression: 1,
  errors: 4,
  "no-data": 4,
};

/** 0: not worse. 1: worse. 2: it was asked for wrongly. 4: errors, or nothing to compare. */
export function comparisonExitCode(
  comparison: EvalComparison | Failure,
  { failWhenInconclusive = false }: CompareOptions = {},
): 0 | 1 | 2 | 4 {
  if (!comparison.ok) return 2;
  if (comparison.status === "inconclusive" && failWhenInconclusive) return 1;
  return EXIT_CODES[comparison.status];
}
