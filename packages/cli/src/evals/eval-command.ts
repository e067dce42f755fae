import { findBaseline, openEvalModel, runEval, withEval } from "@skillwright/app/internal";
import type { Console } from "../console.ts";
import type { ExitCode } from "../exit-code.ts";
import { reportEval, requireBaseline } from "./conclude-eval.ts";
import { type EvalCommandOptions, evalNumbers, requireSense } from "./eval-options.ts";
import { requireWritable } from "./eval-outputs.ts";
import { withProgress } from "./eval-progress.ts";

/** Runs the cases at the paths, and says whether the skills work and whether they got worse. */
export async function evalCommand(
  paths: readonly string[],
  options: EvalCommandOptions,
  console: Console,
): Promise<ExitCode> {
  requireSense(options);
  const numbers = evalNumbers(options, console.env);
  requireWritable(options, console);
  if (options.watch === true) {
    const { watchEvals } = await import("./watch-evals.ts");
    return watchEvals(paths, options, numbers, console);
  }
  return withEval(paths, options, console, async (world) => {
    await requireBaseline(world);
    const { requestsPerMinute } = numbers;
    const { session } = world;
    const model = await openEvalModel(options, { session, host: console, requestsPerMinute });
    const retries = { baseline: await findBaseline(world) };
    const run = await withProgress(console, (watcher) =>
      runEval({ world, numbers, model, retries, watcher }),
    );
    return reportEval(run, world, numbers, { options, console });
  });
}
