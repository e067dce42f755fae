import { requireBudget } from "./budget/require-budget.ts";
import { driveRun, type RunResult } from "./loop/drive-run.ts";
import { openRun } from "./runs/open-run.ts";
import type { OpenRunOptions } from "./runs/open-run-options.ts";

/**
 * Works on a request until there is an end. See `RunResult` for the ends there are. Throws a
 * `TypeError` for a budget that is none.
 */
export async function runAgent(options: OpenRunOptions): Promise<RunResult> {
  requireBudget(options.budget);
  return driveRun(await openRun(options));
}
