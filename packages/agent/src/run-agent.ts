import { requireBudget } from "./budget/budget.ts";
import { driveRun, type RunResult } from "./loop/drive-run.ts";
import { openRun } from "./runs/open-run.ts";
import type { OpenRunOptions } from "./runs/open-run-options.ts";

export async function runAgent(options: OpenRunOptions): Promise<RunResult> {
  requireBudget(options.budget);
  return driveRun(await openRun(options));
}
