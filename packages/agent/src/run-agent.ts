import { driveRun, type RunResult } from "./loop/drive-run.ts";
import { openRun, type OpenRunOptions } from "./runs/open-run.ts";

/** Works on a request until there is an end. See `RunResult` for the ends there are. */
export async function runAgent(options: OpenRunOptions): Promise<RunResult> {
  return driveRun(await openRun(options));
}
