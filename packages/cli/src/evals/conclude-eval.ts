import {
  concludeEval,
  type EvalNumbers,
  type EvalRun,
  type OpenedEval,
  baselineFile,
  updateBaseline,
} from "@skillwright/app/internal";
import { saveResults } from "@skillwright/evals";
import { resolve } from "node:path";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { boundHeapForReports } from "./bound-heap.ts";
import type { EvalCommandOptions } from "./eval-options.ts";
import { lastResultsFile, printEval, requireFile, writeReports } from "./eval-outputs.ts";

/** Writes what was asked for, prints, and gives the exit code. */
export async function reportEval(
  run: EvalRun,
  world: OpenedEval,
  numbers: EvalNumbers,
  { options, console }: { readonly options: EvalCommandOptions; readonly console: Console },
): Promise<ExitCode> {
  const { results, unfinished } = run;
  boundHeapForReports(results.trials);
  const input = await concludeEval(run, world, numbers);
  await writeReports(input, options, console);
  await saveResults(lastResultsFile(world.session), results);
  if (options.save !== undefined) {
    await saveResults(resolve(console.cwd, options.save), results);
    console.note(`Saved ${options.save}.`);
  }
  if (options.updateBaseline === true) await updateBaseline(input, world, unfinished !== undefined);
  printEval(input, world.problems, console);
  return input.exitCode;
}

/** What keeps `--update-baseline` from being done has to be known before the first trial. */
export async function requireBaseline(world: OpenedEval): Promise<void> {
  const { options, session, host, isPart, problems } = world;
  if (options.updateBaseline !== true) return;
  if (isPart) {
    throw new CommandFailure(EXIT.usage, "--update-baseline needs all cases, and this is a part", {
      hint: `what is left out would be gone from the baseline; run it without paths in ${session.project}`,
    });
  }
  if (problems.some(({ severity }) => severity === "error")) {
    throw new CommandFailure(
      EXIT.usage,
      "--update-baseline needs all cases, and some cannot be read",
      {
        hint: "fix those, or leave --update-baseline out",
      },
    );
  }
  const file = baselineFile(options.baseline || undefined, session.project, host);
  requireFile("--update-baseline", file);
}
