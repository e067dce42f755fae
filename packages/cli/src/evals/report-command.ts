import { existsSync } from "node:fs";
import { compareResults, type ReportInput, summarize } from "@skillwright/evals";
import type { Console, GlobalOptions } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { openPlace } from "@skillwright/app/internal";
import { resultsOf } from "./compare-command.ts";
import {
  lastResultsFile,
  printEval,
  type ReportFiles,
  requireWritable,
  writeReports,
} from "./eval-outputs.ts";

export interface ReportCommandOptions extends GlobalOptions, ReportFiles {
  /** Results that are shown beside: what was before. */
  readonly other?: string;
}

/** Shows results that are there already. Nothing is run. */
export async function reportCommand(
  given: string | undefined,
  options: ReportCommandOptions,
  console: Console,
): Promise<ExitCode> {
  requireWritable(options, console);
  const results = await resultsOf(given ?? (await lastResults(console)), console);
  const other = options.other === undefined ? undefined : await resultsOf(options.other, console);
  const compared = other && compareResults(other, results);
  const input: ReportInput = {
    results,
    summary: summarize(results),
    ...(other && { other }),
    ...(compared?.ok === true && { comparison: compared }),
  };
  await writeReports(input, options, console);
  const { html, markdown, junit, workspace } = options;
  const isWritten = [html, markdown, junit, workspace].some((file) => file !== undefined);
  if (console.json || !isWritten) printEval(input, [], console);
  return EXIT.done;
}

async function lastResults(console: Console): Promise<string> {
  const file = lastResultsFile(await openPlace(console));
  if (existsSync(file)) return file;
  throw new CommandFailure(EXIT.missing, "no eval was run in this project yet", {
    hint: "run one: skillwright eval; or name a file that --save wrote",
  });
}
