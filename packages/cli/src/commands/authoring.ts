import { collect } from "./option-with-values.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { addHelp } from "../help/add-help.ts";
import type { InitCommandOptions } from "../init/init-command.ts";
import type { GlobalOptions } from "../console.ts";
import type { LintCommandOptions } from "../lint/lint-command.ts";
import type { NewCommandOptions } from "../new/new-command.ts";
import { commandOf } from "./command-of.ts";
import type { WrapAction } from "./command-runner.ts";

/** `init`, `new` and `lint`: what an author of skills works with. */
export function registerAuthoringCommands(program: Command, wrap: WrapAction): void {
  registerInit(program, wrap);
  registerNew(program, wrap);
  registerLint(program, wrap);
}

function registerInit(program: Command, wrap: WrapAction): void {
  const init = program
    .command("init")
    .summary("prepare a project for skills")
    .description(
      "Prepares a project: .agent/skills with a README on where skills go, a configuration with its schema, an example skill with evals, rules for .gitignore, and a workflow that checks skills in CI. What is there already is kept as it is, so that it can be run again.",
    )
    .argument("[dir]", "the project (default: the folder you are in)")
    .addOption(
      new Option("--ci <service>", "write the workflow; none leaves it out").choices([
        "github",
        "none",
      ]),
    )
    .option("-y, --yes", "write without asking")
    .option("--dry-run", "show what would be written, and write nothing")
    .action(
      wrap(async (args, console) => {
        const { initCommand } = await import("../init/init-command.ts");
        const options = commandOf(args).optsWithGlobals<InitCommandOptions>();
        return initCommand(args[0] as string | undefined, options, console);
      }),
    );
  addHelp(init, {
    examples: {
      "skillwright init": "here; on a terminal it asks first",
      "skillwright init --dry-run": "only show what it would do",
      "skillwright init --yes --ci github": "with a workflow, without asking",
      "skillwright init ./my-project --json": "elsewhere, for a program",
    },
    exitCodes: {
      0: "done, or nothing to do",
      1: "the file system refused",
      2: "wrong usage, or a link that leads out of the project",
      130: "you said no; nothing was written",
    },
    seeAlso: ["skillwright new", "skillwright config init", "docs/configuration.md"],
  });
}

function registerNew(program: Command, wrap: WrapAction): void {
  const command = program
    .command("new")
    .summary("start a skill from a template")
    .description(
      "Makes a folder with a SKILL.md in the recommended structure and first evals. What you have to write is marked with TODO, which lint --strict, pack --strict and eval refuse.",
    )
    .argument("<name>", "lowercase letters, digits and hyphens")
    .option("-d, --description <text>", "what the skill does and when to use it")
    .option("--with <parts>", "beside SKILL.md: script, references, evals", "evals")
    .option("--dir <folder>", "the folder of skills to put it into (default: the project's)")
    .action(
      wrap(async (args, console) => {
        const { newCommand } = await import("../new/new-command.ts");
        const options = commandOf(args).optsWithGlobals<NewCommandOptions>();
        return newCommand(args[0] as string, options, console);
      }),
    );
  addHelp(command, {
    examples: {
      "skillwright new release-notes": "in the project's folder of skills",
      "skillwright new release-notes --source user": "for all your projects",
      'skillwright new csv-report -d "Makes reports. Use when a CSV file is given."':
        "with its description",
      "skillwright new csv-report --with script,references,evals": "with a script and a reference",
    },
    exitCodes: { 0: "made", 1: "the file system refused", 2: "a bad name, or it exists already" },
    seeAlso: ["skillwright lint", "docs/format.md"],
  });
}

function registerLint(program: Command, wrap: WrapAction): void {
  const lint = program
    .command("lint")
    .summary("check skills and explain every problem")
    .description(
      "Checks skills against the specification, for safety and for quality. A path is a skill, a SKILL.md, a folder of skills, or a glob; without one the project's own skills are checked.",
    )
    .argument("[paths...]", "what to check")
    .option("--fix", "fix what can be fixed safely")
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
    .option("--for <clients>", "what these clients make of them: ids with commas, or all")
    .action(
      wrap(async (args, console) => {
        const { for: clients } = commandOf(args).opts<{ for?: string }>();
        if (clients !== undefined) {
          const { portabilityCommand } = await import("../lint/portability-command.ts");
          const global = commandOf(args).optsWithGlobals<GlobalOptions>();
          return portabilityCommand(args[0] as string[], clients, global, console);
        }
        const { lintCommand } = await import("../lint/lint-command.ts");
        const options = commandOf(args).optsWithGlobals<LintCommandOptions>();
        return lintCommand(args[0] as string[], options, console);
      }),
    );
  addHelp(lint, {
    examples: {
      "skillwright lint": "the project's skills",
      "skillwright lint skills/pdf --fix": "one skill, with safe fixes applied",
      'skillwright lint "plugins/*/skills/*"': "a glob",
      "skillwright lint --strict --format github": "notes in a pull request",
      "skillwright lint --for codex,cursor": "what other clients find, cut, ignore or refuse",
    },
    exitCodes: {
      0: "no errors",
      1: "errors, or too many warnings",
      2: "wrong usage",
      4: "nothing to check",
    },
    seeAlso: ["skillwright scan", "docs/lint-rules.md", "docs/format.md"],
  });
}

function parseCount(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(value);
}
