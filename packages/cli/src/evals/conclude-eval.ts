import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  compareResults,
  type EvalComparison,
  type EvalResults,
  type EvalSummary,
  readResults,
  saveResults,
  summarize,
  verdictExitCode,
} from "@skillwright/evals";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { relativePath } from "../terminal/relative-path.ts";
import { boundHeapForReports } from "./bound-heap.ts";
import type { EvalNumbers } from "./eval-options.ts";
import type { EvalWorld } from "./eval-world.ts";
import { lastResultsFile, printEval, requireFile, writeReports } from "./eval-outputs.ts";
import type { EvalRun } from "./settle-comparison.ts";
import { settleComparison } from "./settle-comparison.ts";

/** Compares, writes what was asked for, prints, and gives the exit code. */
export async function concludeEval(
  { results, unfinished }: EvalRun,
  world: EvalWorld,
  numbers: EvalNumbers,
): Promise<ExitCode> {
  const { options, console, problems, isPart } = world;
  boundHeapForReports(results.trials);
  const { minimumPassRate, maximumErrorRate, failWhenInconclusive } = numbers;
  const alone = summarize(results, {
    ...(minimumPassRate !== undefined && { minimumPassRate }),
    ...(maximumErrorRate !== undefined && { maximumErrorRate }),
  });
  const baseline = await findBaseline(world);
  const compared = baseline && compareWith(baseline, results, numbers, isPart);
  const isUpdate = options.updateBaseline === true;
  const { exitCode, ...settled } = settleComparison(alone, compared, {
    isPart,
    isUpdate,
    failWhenInconclusive,
    ...(unfinished && { unfinished }),
  });
  const other = settled.comparison && baseline && (isPart ? partOf(baseline, results) : baseline);
  const input = { results, ...settled, ...(other && { other }), exitCode };
  await writeReports(input, options, console);
  await saveResults(lastResultsFile(world.session), results);
  if (options.save !== undefined) {
    await saveResults(resolve(console.cwd, options.save), results);
    console.note(`Saved ${options.save}.`);
  }
  if (isUpdate) await updateBaseline(input, world, unfinished !== undefined);
  printEval(input, problems, console);
  return exitCode;
}

export function compareWith(
  baseline: EvalResults,
  results: EvalResults,
  { margin, maximumErrorRate }: EvalNumbers,
  isPart: boolean,
): EvalComparison {
  const asked = {
    isPart,
    ...(margin !== undefined && { margin }),
    ...(maximumErrorRate !== undefined && { maximumErrorRate }),
  };
  const compared = compareResults(baseline, results, asked);
  if (compared.ok) return compared;
  const { message, hint, code } = compared;
  throw new CommandFailure(EXIT.usage, message, { code, ...(hint !== undefined && { hint }) });
}

export async function findBaseline({
  session,
  options,
  console,
}: EvalWorld): Promise<EvalResults | undefined> {
  const { baseline } = options;
  if (baseline === false) return undefined;
  const file = baselineFile(baseline, session.project, console);
  const isOptional = baseline === undefined || options.updateBaseline === true;
  if (isOptional && !existsSync(file)) return undefined;
  const read = await readResults(file);
  if (!read.ok) {
    const { message, hint, code } = read;
    throw new CommandFailure(EXIT.usage, message, { code, ...(hint !== undefined && { hint }) });
  }
  return read.results;
}

/** What is shown beside: the cases that were run. */
function partOf(baseline: EvalResults, { trials }: EvalResults): EvalResults {
  const ids = new Set(trials.map(({ caseId }) => caseId));
  const isRun = ({ caseId }: { readonly caseId: string }) => ids.has(caseId);
  const preferences = baseline.preferences?.filter(isRun);
  return {
    ...baseline,
    ...(preferences && { preferences }),
    trials: baseline.trials.filter(isRun),
  };
}

/** Only what says something about every case can be held against a later eval. */
async function updateBaseline(
  { results, summary }: { readonly results: EvalResults; readonly summary: EvalSummary },
  { options, session, console }: EvalWorld,
  isUnfinished: boolean,
): Promise<void> {
  const file = baselineFile(options.baseline || undefined, session.project, console);
  const shown = relativePath(file, console.cwd);
  const { cases, verdict } = summary;
  // A failure is said before errors, and does not make up for them.
  const isLost = cases.some(({ arms: [tested] }) => tested?.outcome === "error");
  if (isLost || isUnfinished || verdictExitCode(verdict) === EXIT.missing) {
    console.note(`The baseline ${shown} is left as it is: not every case could be judged.`);
    return;
  }
  await saveResults(file, results);
  console.note(`The baseline is now ${shown}.`);
}

/** What keeps `--update-baseline` from being done has to be known before the first trial. */
export async function requireBaseline(world: EvalWorld): Promise<void> {
  const { options, session, console, isPart, problems } = world;
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
  const file = baselineFile(options.baseline || undefined, session.project, console);
  requireFile("--update-baseline", file);
}

function baselineFile(given: string | undefined, project: string, { cwd }: Console): string {
  return given === undefined
    ? join(project, ".agent", "evals", "baseline.json")
    : resolve(cwd, given);
}
