import type { Command } from "commander";
import type { PromptOptions } from "../disclosure/prompt-command.ts";
import type { ReadCommandOptions } from "../disclosure/read-command.ts";
import type { SearchCommandOptions } from "../disclosure/search-command.ts";
import type { ToolsOptions } from "../disclosure/tools-command.ts";
import { addTrustOption } from "../skills/trust/add-trust-option.ts";
import type { WrapAction } from "./command-runner.ts";

/** What a model meets: `prompt`, `search`, `read`, `tools`. */
export function registerDisclosureCommands(program: Command, wrap: WrapAction): void {
  addTrustOption(
    program
      .command("prompt")
      .description("Print the catalog of skills as a model gets it.")
      .option("--budget <tokens>", "shorten it to so many tokens")
      .option("--format <format>", "xml, markdown or json", "xml")
      .option("--locations", "also say where each skill is"),
  ).action(
    wrap(async (args, console) => {
      const { promptCommand } = await import("../disclosure/prompt-command.ts");
      return promptCommand(commandOf(args).optsWithGlobals<PromptOptions>(), console);
    }),
  );
  program
    .command("search")
    .description("Find skills by what they are for.")
    .argument("<query...>", "in your own words")
    .option("-n, --limit <number>", "at most so many", "5")
    .action(
      wrap(async (args, console) => {
        const { searchCommand } = await import("../disclosure/search-command.ts");
        const words = args[0] as readonly string[];
        return searchCommand(
          words,
          commandOf(args).optsWithGlobals<SearchCommandOptions>(),
          console,
        );
      }),
    );
  program
    .command("read")
    .description("Print one file of a skill, or a part of it.")
    .argument("<name>", "a name, or name@source")
    .argument("[path]", "a file of the skill (default: SKILL.md)")
    .option("--lines <range>", "only these lines, such as 20-40")
    .option("--section <heading>", "only the section with this heading")
    .option("--line-numbers", "with the number of each line")
    .action(
      wrap(async (args, console) => {
        const { readCommand } = await import("../disclosure/read-command.ts");
        const [name, path] = args as [string, string | undefined];
        return readCommand(
          name,
          path,
          commandOf(args).optsWithGlobals<ReadCommandOptions>(),
          console,
        );
      }),
    );
  registerTools(program, wrap);
}

function registerTools(program: Command, wrap: WrapAction): void {
  const preset = ["--preset <preset>", "standard, lookup, scripts, sop or autobot"] as const;
  const budget = ["--budget <tokens>", "of the catalog that the tools go with"] as const;
  const tools = addTrustOption(
    program
      .command("tools")
      .description("List the tools that a model is offered.")
      .option(...preset)
      .option(...budget),
  ).action(
    wrap(async (args, console) => {
      const { toolsCommand } = await import("../disclosure/tools-command.ts");
      return toolsCommand(commandOf(args).optsWithGlobals<ToolsOptions>(), console);
    }),
  );
  addTrustOption(
    tools
      .command("call")
      .description("Run one of them as a model would.")
      .argument("<tool>", "its name")
      .option(...preset)
      .option(...budget)
      .option("--input <json>", "its parameters; - reads them from stdin", "{}")
      .option("--yes [tools]", "approve calls of these tools, such as run_script")
      .option(
        "--sandbox <sandbox>",
        "auto, bubblewrap, sandbox-runtime, or none to run scripts without one",
      ),
  ).action(
    wrap(async (args, console) => {
      const { callToolCommand } = await import("../disclosure/tools-command.ts");
      return callToolCommand(
        args[0] as string,
        commandOf(args).optsWithGlobals<ToolsOptions>(),
        console,
      );
    }),
  );
}

/** Commander hands the command itself over as the last argument. */
function commandOf(args: readonly unknown[]): Command {
  return args.at(-1) as Command;
}
