import { resolve } from "node:path";
import {
  compareResults,
  comparisonExitCode,
  type EvalComparison,
  type EvalResults,
  readResults,
  summarize,
} from "@skillwright/evals";
import type { Console, GlobalOptions } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { boundHeapForReports } from "./bound-heap.ts";
import { isStrict, share } from "./eval-options.ts";
import { printSummary, requireWritable, writeReports } from "./eval-outputs.ts";

export interface CompareCommandOptions extends GlobalOptions {
  readonly margin?: string;
  readonly strict?: boolean;
  readonly maxErrors?: string;
  readonly maxTokens?: string;
  readonly html?: string;
  readonly markdown?: string;
}

/** Whether the second got worse than the first. */
export async function compareCommand(
  before: string,
  now: string,
  options: CompareCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const { margin, maxTokens, maxErrors } = options;
  const compareOptions = {
    ...(margin !== undefined && { margin: share(margin, "--margin") }),
    ...(maxErrors !== undefined && { maximumErrorRate: share(maxErrors, "--max-errors") }),
    ...(maxTokens !== undefined && { costBudget: { tokens: share(maxTokens, "--max-tokens") } }),
    failWhenInconclusive: isStrict(options, console.env),
  };
  requireWritable(options, console);
  const other = await resultsOf(before, console);
  const results = await resultsOf(now, console);
  const comparison = compareResults(other, results, compareOptions);
  if (!comparison.ok) {
    const { message, hint, code } = comparison;
    throw new CommandFailure(EXIT.usage, message, { code, ...(hint !== undefined && { hint }) });
  }
  const input = { results, summary: summarize(results), comparison, other };
  await writeReports(input, options, console);
  if (console.json) console.printJson(withoutOk(comparison));
  else printSummary(input, console);
  return comparisonExitCode(comparison, compareOptions);
}

/** Results of an eval; what is none ends the command. */
export async function resultsOf(file: string, { cwd }: Console): Promise<EvalResults> {
  const read = await readResults(resolve(cwd, file));
  if (read.ok) {
    boundHeapForReports(read.results.trials);
    return read.results;
  }
  const { message, hint, code } = read;
  throw new CommandFailure(EXIT.usage, message, { code, ...(hint !== undefined && { hint }) });
}

function withoutOk(comparison: EvalComparison): Omit<EvalComparison, "ok"> {
  const { ok: _, ...document } = comparison;
  return document;
}
