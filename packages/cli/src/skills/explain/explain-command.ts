import type { Explanation } from "@skillwright/core";
import type { Console, GlobalOptions } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { relativePath } from "../../terminal/relative-path.ts";
import { openSession, openSessionSkills } from "../../session.ts";
import { visibleText } from "../../terminal/visible-text.ts";

export async function explainCommand(
  name: string,
  options: GlobalOptions,
  console: Console,
): Promise<ExitCode> {
  const session = await openSession(options, console);
  const skills = await openSessionSkills(session, options, console);
  const explanation = skills.explain(name);
  if (console.json) console.printJson(explanation);
  else printExplanation(explanation, console);
  return explanation.found ? EXIT.done : EXIT.no;
}

function printExplanation(explanation: Explanation, console: Console): void {
  const { bold, green, yellow, red, dim } = console.colors;
  const { name, found, places, visibleToModel, visibleToPerson, reasons, candidates } = explanation;
  console.print(bold(visibleText(name)));
  for (const reason of reasons) {
    console.print(`  ${(visibleToModel ? green : yellow)(visibleText(reason))}`);
  }
  if (found) {
    console.print(`  offered to models: ${visibleToModel ? "yes" : "no"}`);
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
