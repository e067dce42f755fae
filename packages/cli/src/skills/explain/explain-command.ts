import { catalogLevel, type Explanation } from "@skillwright/core";
import type { Console, GlobalOptions } from "../../console.ts";
import { readBudget } from "../../disclosure/read-budget.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { relativePath } from "../../terminal/relative-path.ts";
import { openSession, openSessionRegistry } from "../../session.ts";
import { visibleText } from "../../terminal/visible-text.ts";

export interface ExplainOptions extends GlobalOptions {
  readonly budget?: string;
}

const IN_CATALOG = {
  full: "with its whole description",
  short: "with the start of its description",
  name: "by its name only",
  omitted: "not listed, only found by search",
} as const;

export async function explainCommand(
  name: string,
  options: ExplainOptions,
  console: Console,
): Promise<ExitCode> {
  const session = await openSession(options, console);
  const skills = await openSessionRegistry(session, options, console);
  const explanation = skills.explain(name);
  const catalog = catalogLevel(explanation.name, skills.all, readBudget(options.budget));
  if (console.json) console.printJson({ ...explanation, ...(catalog && { catalog }) });
  else printExplanation(explanation, catalog, console);
  return explanation.found ? EXIT.done : EXIT.no;
}

function printExplanation(
  explanation: Explanation,
  catalog: keyof typeof IN_CATALOG | undefined,
  console: Console,
): void {
  const { bold, green, yellow, red, dim } = console.colors;
  const { name, found, places, visibleToModel, visibleToPerson, reasons, candidates } = explanation;
  console.print(bold(visibleText(name)));
  for (const reason of reasons) {
    console.print(`  ${(visibleToModel ? green : yellow)(visibleText(reason))}`);
  }
  if (found) {
    console.print(`  offered to models: ${visibleToModel ? "yes" : "no"}`);
    if (catalog !== undefined) console.print(`  in the catalog: ${IN_CATALOG[catalog]}`);
    console.print(`  offered to people: ${visibleToPerson ? "yes" : "no"}`);
  }
  for (const { path, outcome, reason, diagnostics } of places) {
    const paint = outcome === "chosen" ? green : outcome === "unusable" ? red : yellow;
    console.print(`\n  ${visibleText(relativePath(path, console.cwd))}`);
    console.print(`    ${paint(outcome)}: ${visibleText(reason)}`);
    for (const { severity, code, message, line } of diagnostics) {
      console.print(dim(`    line ${line}, ${severity} ${code}: ${visibleText(message)}`));
    }
  }
  if (candidates.length > 0)
    console.print(`\n  did you mean: ${candidates.map(visibleText).join(", ")}?`);
}
