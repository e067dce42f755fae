import type { Console } from "../console.ts";
import type { ExitCode } from "../exit-code.ts";
import { concludeEval, findBaseline, requireBaseline } from "./conclude-eval.ts";
import { openEvalModel } from "./eval-model.ts";
import { type EvalCommandOptions, evalNumbers, requireSense } from "./eval-options.ts";
import { withEvalWorld } from "./eval-world.ts";
import { requireWritable } from "./eval-outputs.ts";
import { runEval } from "./run-eval.ts";

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
  return withEvalWorld(paths, options, console, async (world) => {
    await requireBaseline(world);
    const { requestsPerMinute } = numbers;
    const context = { session: world.session, console, requestsPerMinute };
    const model = await openEvalModel(options, context);
    const retries = { baseline: await findBaseline(world) };
    return concludeEval(await runEval({ world, numbers, model, retries }), world, numbers);
  });
}
