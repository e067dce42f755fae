import type { Command } from "commander";
import type { PromptOptions } from "../disclosure/prompt-command.ts";
import type { ReadCommandOptions } from "../disclosure/read-command.ts";
import type { SearchCommandOptions } from "../disclosure/search-command.ts";
import { addHelp } from "../help/add-help.ts";
import { addTrustOption } from "../skills/trust/add-trust-option.ts";
import { commandOf } from "./command-of.ts";
import type { WrapAction } from "./command-runner.ts";
import { optionWithValues } from "./option-with-values.ts";
import { registerTools } from "./tools.ts";

/** What a model meets: `search`, `read`, `prompt`, `tools`. */
export function registerDisclosureCommands(program: Command, wrap: WrapAction): void {
  registerSearch(program, wrap);
  registerRead(program, wrap);
  registerPrompt(program, wrap);
  registerTools(program, wrap);
}

function registerPrompt(program: Command, wrap: WrapAction): void {
  const format = optionWithValues("--format <format>", "how to print it", [
    "xml",
    "markdown",
    "json",
  ]).default("xml");
  const prompt = addTrustOption(
    program
      .command("prompt")
      .summary("print the catalog of skills as a model gets it")
      .description(
        "Prints the catalog: what a model reads about all skills before it chooses one. With a budget, descriptions are first shortened, then left out.",
      )
      .option("--budget <tokens>", "shorten it to this size")
      .addOption(format)
      .option("--locations", "also say where each skill is")
      .option("--as <client>", "what another client would show, such as codex"),
  ).action(
    wrap(async (args, console) => {
      const { promptCommand } = await import("../disclosure/prompt-command.ts");
      return promptCommand(commandOf(args).optsWithGlobals<PromptOptions>(), console);
    }),
  );
  addHelp(prompt, {
    examples: {
      "skillwright prompt": "the whole catalog",
      "skillwright prompt --budget 500": "within 500 tokens",
      "skillwright prompt --as codex": "the skills that Codex finds, cut as it cuts",
      "skillwright prompt --format markdown --locations": "for a prompt of your own",
    },
    exitCodes: { 0: "printed", 2: "wrong usage or configuration", 130: "interrupted" },
    seeAlso: ["skillwright explain", "docs/disclosure.md"],
  });
}

function registerSearch(program: Command, wrap: WrapAction): void {
  const search = program
    .command("search")
    .summary("find skills by what they are for")
    .description(
      "Finds skills by names, descriptions and texts, the best first. The words are taken as you would say them; quotes are not needed.",
    )
    .argument("<query...>", "in your own words")
    .option("-n, --limit <number>", "maximum number of results", "5")
    .option("--why", "show which words of the query each result has")
    .action(
      wrap(async (args, console) => {
        const { searchCommand } = await import("../disclosure/search-command.ts");
        return searchCommand(
          args[0] as readonly string[],
          commandOf(args).optsWithGlobals<SearchCommandOptions>(),
          console,
        );
      }),
    );
  addHelp(search, {
    examples: {
      "skillwright search merge two pdf files": "the best five",
      "skillwright search spreadsheet -n 1 --quiet": "only the best name",
      "skillwright search merge two pdfs --why": "with the words that were found",
      "skillwright search spreadsheet --json": "with scores, for a program",
    },
    exitCodes: { 0: "searched; nothing found is fine", 2: "wrong usage or configuration" },
    seeAlso: ["skillwright list", "docs/disclosure.md"],
  });
}

function registerRead(program: Command, wrap: WrapAction): void {
  const read = program
    .command("read")
    .summary("print one file of a skill, or a part of it")
    .description(
      "Prints a file of a skill as a model would read it. A read never leaves the skill's own folder.",
    )
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
  addHelp(read, {
    examples: {
      "skillwright read pdf-tools": "its SKILL.md",
      "skillwright read pdf-tools references/forms.md": "one of its files",
      "skillwright read pdf-tools --section Steps": "one section",
      "skillwright read pdf-tools --lines 1-20": "some lines",
    },
    exitCodes: {
      0: "printed",
      1: "there is no such skill, file or section, or it is not text",
      2: "wrong usage or configuration",
    },
    seeAlso: ["skillwright inspect", "docs/disclosure.md"],
  });
}
