import type { Command } from "commander";
import type { GlobalOptions } from "../console.ts";
import { addHelp } from "../help/add-help.ts";
import type { ExplainOptions } from "../skills/explain/explain-command.ts";
import type { ListCommandOptions } from "../skills/list/list-command.ts";
import { commandOf } from "./command-of.ts";
import type { WrapAction } from "./command-runner.ts";

/** What there is and why: `list`, `inspect`, `explain`. */
export function registerSkillCommands(program: Command, wrap: WrapAction): void {
  registerList(program, wrap);
  registerInspect(program, wrap);
  registerExplain(program, wrap);
}

function registerList(program: Command, wrap: WrapAction): void {
  const list = program
    .command("list")
    .alias("ls")
    .summary("list all skills that were found")
    .description(
      "Lists every skill of this project, of the user and of this program, with where it comes from, whether it can be used, and what it is for. Only the heads of the files are read.",
    )
    .option("--all", "also shadowed and disabled ones")
    .action(
      wrap(async (args, console) => {
        const { listCommand } = await import("../skills/list/list-command.ts");
        return listCommand(commandOf(args).optsWithGlobals<ListCommandOptions>(), console);
      }),
    );
  addHelp(list, {
    examples: {
      "skillwright list": "all that can be used here",
      "skillwright list --all": "also what is shadowed or off",
      "skillwright list --source project --quiet": "only names of the project",
      "skillwright list --root ./skills --json": "another folder, for a program",
    },
    exitCodes: { 0: "listed; an empty list is fine", 2: "wrong usage or configuration" },
    seeAlso: ["skillwright explain", "docs/registry.md"],
  });
}

function registerInspect(program: Command, wrap: WrapAction): void {
  const inspect = program
    .command("inspect")
    .summary("show everything about one skill")
    .description(
      "Shows one skill: its metadata, files, size in tokens, the tools it wants, its digest, and what is wrong with it.",
    )
    .argument("<name>", "a name, or name@source")
    .action(
      wrap(async (args, console) => {
        const { inspectCommand } = await import("../skills/inspect/inspect-command.ts");
        return inspectCommand(
          args[0] as string,
          commandOf(args).optsWithGlobals<GlobalOptions>(),
          console,
        );
      }),
    );
  addHelp(inspect, {
    examples: {
      "skillwright inspect pdf-tools": "the one that is used",
      "skillwright inspect pdf-tools@user": "the user's own",
      "skillwright inspect pdf-tools --json": "for a program",
    },
    exitCodes: {
      0: "shown",
      1: "there is no such skill",
      2: "wrong usage or configuration",
    },
    seeAlso: ["skillwright read", "skillwright explain", "docs/format.md"],
  });
}

function registerExplain(program: Command, wrap: WrapAction): void {
  const explain = program
    .command("explain")
    .summary("say why a skill is or is not there")
    .description(
      "Says why a skill is offered to models or is not: every place it was found in, which of them won, whether it is trusted and switched on, and who can see it.",
    )
    .argument("<name>", "a name, or name@source")
    .option("--budget <tokens>", "check whether it fits into a catalog of this size")
    .action(
      wrap(async (args, console) => {
        const { explainCommand } = await import("../skills/explain/explain-command.ts");
        return explainCommand(
          args[0] as string,
          commandOf(args).optsWithGlobals<ExplainOptions>(),
          console,
        );
      }),
    );
  addHelp(explain, {
    examples: {
      "skillwright explain pdf-tools": "why it is, or is not, offered",
      "skillwright explain pdf-tools --budget 500": "in a small catalog",
    },
    exitCodes: {
      0: "explained",
      1: "there is no such skill",
      2: "wrong usage or configuration",
    },
    seeAlso: ["skillwright list --all", "docs/registry.md"],
  });
}
