import { type Command, InvalidArgumentError, Option } from "commander";
import type { LintCommandOptions } from "../lint/lint-command.ts";
import type { NewCommandOptions } from "../new/new-command.ts";
import type { WrapAction } from "./command-runner.ts";

/** `lint` and `new`: what an author of skills works with. */
export function registerAuthoringCommands(program: Command, wrap: WrapAction): void {
  program
    .command("lint")
    .summary("check skills and explain every problem")
    .description(
      "Checks skills against the specification, for safety and for quality. A path is a skill, a\n" +
        "SKILL.md, a folder of skills, or a glob; without one the project's own skills are checked.",
    )
    .argument("[paths...]", "what to check")
    .option("--fix", "mend what can be mended without asking")
    .option("--strict", "validate: what the specification forbids is an error")
    .option("--max-warnings <n>", "fail when there are more warnings", parseCount)
    .option(
      "--rule <code=severity>",
      "set a rule to error, warning, info or off (repeatable)",
      collect,
    )
    .addOption(
      new Option("--format <format>", "how to print").choices(["human", "json", "github", "sarif"]),
    )
    .addHelpText(
      "after",
      `
Examples:
  skillwright lint                           the project's skills
  skillwright lint skills/pdf --fix          one skill, mending what can be mended
  skillwright lint "plugins/*/skills/*"      a glob
  skillwright lint --strict --format github  annotations in a pull request

Exit codes: 0 no errors, 1 errors or too many warnings, 2 wrong usage, 4 nothing to check.
Every rule is explained in docs/lint-rules.md.`,
    )
    .action(
      wrap(async ([paths, , command], console) => {
        const { lintCommand } = await import("../lint/lint-command.ts");
        const options = (command as Command).optsWithGlobals<LintCommandOptions>();
        return lintCommand(paths as string[], options, console);
      }),
    );

  program
    .command("new")
    .summary("start a skill that lints clean")
    .description("Makes a folder with a SKILL.md in the recommended structure and first evals.")
    .argument("<name>", "lowercase letters, digits and hyphens")
    .option("-d, --description <text>", "what the skill does and when to use it")
    .option("--dir <folder>", "the folder of skills to put it into (default: the project's)")
    .addHelpText(
      "after",
      `
Examples:
  skillwright new release-notes
  skillwright new csv-report -d "Turns CSV files into reports. Use when a table must be summarised."`,
    )
    .action(
      wrap(async ([name, , command], console) => {
        const { newCommand } = await import("../new/new-command.ts");
        const options = (command as Command).optsWithGlobals<NewCommandOptions>();
        return newCommand(name as string, options, console);
      }),
    );
}

function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

function parseCount(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(value);
}
