import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  compareResults,
  comparisonExitCode,
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
import type { EvalNumbers } from "./eval-options.ts";
import type { EvalWorld } from "./eval-world.ts";
import { lastResultsFile } from "./last-results.ts";
import { printEval } from "./print-eval.ts";
import { writeReports } from "./write-reports.ts";

/** Compares, writes what was asked for, prints, and gives the exit code. */
export async function concludeEval(
  results: EvalResults,
  world: EvalWorld,
  numbers: EvalNumbers,
): Promise<ExitCode> {
  const { options, console, problems } = world;
  const { minimumPassRate } = numbers;
  const summary = summarize(results, minimumPassRate === undefined ? {} : { minimumPassRate });
  const baseline = await findBaseline(results, world);
  const comparison = baseline && compareWith(baseline, results, numbers);
  const input = {
    results,
    summary,
    ...(comparison && { comparison }),
    ...(baseline && { other: baseline }),
  };
  await writeReports(input, options, console);
  await saveResults(lastResultsFile(world.session), results);
  if (options.save !== undefined) {
    await saveResults(resolve(console.cwd, options.save), results);
    console.note(`Saved ${options.save}.`);
  }
  const code = exitCodeOf(summary, comparison);
  const isUpdated = options.updateBaseline === true && (await updateBaseline(input, world));
  printEval(input, problems, console);
  return isUpdated && comparison?.status === "regression" ? verdictExitCode(summary.verdict) : code;
}

/**
 * Without a baseline the verdict decides. With one, what failed before is known: only what got worse, a new
 * case that fails, and what could not be judged count.
 */
function exitCodeOf(
  { verdict, cases }: EvalSummary,
  comparison: EvalComparison | undefined,
): ExitCode {
  const alone = verdictExitCode(verdict);
  if (comparison === undefined || alone === EXIT.missing) return alone;
  const compared = comparisonExitCode(comparison);
  if (compared !== EXIT.done) return compared;
  const added = new Set([
    ...comparison.cases.added,
    ...comparison.cases.changed.map(({ caseId }) => caseId),
  ]);
  const isFailing = cases.some(
    ({ id, arms: [own] }) => added.has(id) && (own?.outcome === "fail" || own?.outcome === "flaky"),
  );
  return isFailing ? EXIT.no : EXIT.done;
}

function compareWith(
  baseline: EvalResults,
  results: EvalResults,
  { margin }: EvalNumbers,
): EvalComparison {
  const compared = compareResults(baseline, results, margin === undefined ? {} : { margin });
  if (compared.ok) return compared;
  const { message, hint, code } = compared;
  throw new CommandFailure(EXIT.usage, message, { code, ...(hint !== undefined && { hint }) });
}

async function findBaseline(
  { trials }: EvalResults,
  { session, options, console }: EvalWorld,
): Promise<EvalResults | undefined> {
  const { baseline, filter } = options;
  if (baseline === false) return undefined;
  const file = baselineFile(baseline, session.project, console);
  const isOptional = baseline === undefined || options.updateBaseline === true;
  if (isOptional && !existsSync(file)) return undefined;
  const read = await readResults(file);
  if (!read.ok) {
    const { message, hint, code } = read;
    throw new CommandFailure(EXIT.usage, message, { code, ...(hint !== undefined && { hint }) });
  }
  if (filter === undefined) return read.results;
  const ids = new Set(trials.map(({ caseId }) => caseId));
  const kept = read.results.trials.filter(({ caseId }) => ids.has(caseId));
  return { ...read.results, trials: kept };
}

/** Only what says something about every case can be held against a later eval. */
async function updateBaseline(
  { results, summary }: { readonly results: EvalResults; readonly summary: EvalSummary },
  { options, session, console }: EvalWorld,
): Promise<boolean> {
  const file = baselineFile(options.baseline || undefined, session.project, console);
  const shown = relativePath(file, console.cwd);
  if (verdictExitCode(summary.verdict) === EXIT.missing) {
    console.note(`The baseline ${shown} is left as it is: not every case could be judged.`);
    return false;
  }
  await saveResults(file, results);
  console.note(`The baseline is now ${shown}.`);
  return true;
}

function baselineFile(given: string | undefined, project: string, { cwd }: Console): string {
  return given === undefined
    ? join(project, ".agent", "evals", "baseline.json")
    : resolve(cwd, given);
}
