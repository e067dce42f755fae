import { type CaseProblem, type ReportInput, terminalSummary } from "@skillwright/evals";
import type { Console } from "../console.ts";

/** The one JSON document, or what a person reads; the last line is the verdict. */
export function printEval(
  input: ReportInput,
  problems: readonly CaseProblem[],
  console: Console,
): void {
  if (!console.json) return printSummary(input, console);
  const { summary, comparison } = input;
  console.printJson({
    ...summary,
    ...(comparison && { comparison }),
    ...(problems.length > 0 && { problems }),
  });
}

export function printSummary(input: ReportInput, console: Console): void {
  const { width, colors, quiet } = console;
  const lines = terminalSummary(input, { width, colors });
  console.print(quiet ? (lines.at(-1) ?? "") : lines.join("\n"));
}
