import type { Command, Help } from "commander";

export interface CommandHelp {
  /** Command lines as a person types them, each with what it is for. */
  readonly examples: Readonly<Record<string, string>>;
  readonly exitCodes: Readonly<Record<number, string>>;
  /** Pages of the documentation, and other commands. */
  readonly seeAlso: readonly string[];
}

/** The part below the options: examples, exit codes, further reading. */
export function addHelp(command: Command, help: CommandHelp): Command {
  // Made when it is asked for, not at every start.
  return command.addHelpText("after", ({ command: shown }) => {
    const helper = shown.createHelp();
    const helpWidth = shown.configureOutput().getOutHelpWidth?.();
    helper.prepareContext(helpWidth === undefined ? {} : { helpWidth });
    return [
      "\nExamples:",
      ...exampleLines(Object.entries(help.examples), helper),
      "\nExit codes:",
      ...itemLines(Object.entries(help.exitCodes), helper),
      `\n${helper.boxWrap(`See also: ${help.seeAlso.join(", ")}`, helper.helpWidth ?? 80)}`,
    ].join("\n");
  });
}

/** Descriptions go beside the examples where there is room, else above them. */
function exampleLines(examples: readonly (readonly [string, string])[], helper: Help): string[] {
  const room = (helper.helpWidth ?? 80) - 4;
  const widest = Math.max(...examples.map(([line]) => line.length));
  const longest = Math.max(...examples.map(([, what]) => what.length));
  if (widest + longest <= room) return itemLines(examples, helper);
  return examples.flatMap(([line, what]) => [`  # ${what}`, `  ${line}`]);
}

function itemLines(items: readonly (readonly [string, string])[], helper: Help): string[] {
  const width = Math.max(...items.map(([term]) => term.length));
  return items.map(([term, description]) => helper.formatItem(term, width, description, helper));
}
