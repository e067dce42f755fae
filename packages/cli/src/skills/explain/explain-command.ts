import { type SkillRecord } from "@skillwright/core";
import { catalogLevel, type Explanation, visibleLine } from "@skillwright/core/internal";
import type { Console, GlobalOptions } from "../../console.ts";
import { readBudget } from "../../disclosure/read-budget.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { relativePath } from "../../terminal/relative-path.ts";
import {
  openSession,
  sourceOption,
  isFromMcp,
  openMcpSessionRegistry,
  noteServers,
} from "@skillwright/app/internal";

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
  const budget = readBudget(options.budget);
  const session = await openSession(options, console);
  // All sources, whichever is asked for: the explanation compares them.
  const { source: _source, ...others } = options;
  const source = sourceOption(options);
  const skills = await openMcpSessionRegistry(session, others, console);
  noteServers(skills.diagnostics(), console);
  const wanted = source === undefined || name.includes("@") ? name : `${name}@${source}`;
  const explanation = skills.explain(wanted);
  const catalog = explanation.visibleToModel
    ? catalogLevel(explanation.name, skills.all, budget)
    : undefined;
  if (console.json) console.printJson({ ...explanation, ...(catalog && { catalog }) });
  else printExplanation(explanation, catalog, skills.get(wanted), console);
  return explanation.found ? EXIT.done : EXIT.no;
}

function printExplanation(
  explanation: Explanation,
  catalog: keyof typeof IN_CATALOG | undefined,
  record: SkillRecord | undefined,
  console: Console,
): void {
  const { bold, green, yellow, red, dim } = console.colors;
  const { name, found, places, visibleToModel, visibleToPerson, reasons, candidates } = explanation;
  console.print(bold(visibleLine(name)));
  for (const reason of reasons) {
    console.printText(`  ${(visibleToModel ? green : yellow)(visibleLine(reason))}`);
  }
  if (found) {
    console.print(`  offered to models: ${visibleToModel ? "yes" : "no"}`);
    if (catalog !== undefined) console.printText(`  in the catalog: ${IN_CATALOG[catalog]}`);
    console.printText(`  offered to people: ${visibleToPerson ? "yes" : personReason(record)}`);
  }
  for (const { path, source, outcome, reason, diagnostics } of places) {
    const paint = outcome === "chosen" ? green : outcome === "unusable" ? red : yellow;
    const place = isFromMcp({ source }) ? `${source} ${path}` : relativePath(path, console.cwd);
    console.print(`\n  ${visibleLine(place)}`);
    console.printText(`    ${paint(outcome)}: ${visibleLine(reason)}`);
    for (const { severity, code, message, line } of diagnostics) {
      console.printText(dim(`    line ${line}, ${severity} ${code}: ${visibleLine(message)}`));
    }
  }
  if (candidates.length > 0)
    console.printText(`\n  did you mean: ${candidates.map(visibleLine).join(", ")}?`);
}

function personReason(record: SkillRecord | undefined): string {
  if (record?.userInvocable === false) return "no, it says `user-invocable: false`";
  return record?.enabled === false ? "no, it is disabled" : "no";
}
