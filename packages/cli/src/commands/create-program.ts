import { Command, Help } from "commander";
import type { Surroundings } from "../console.ts";
import { addHelp } from "../help/add-help.ts";
import { VERSION } from "../version.ts";
import { collect, optionWithValues } from "./option-with-values.ts";

const MAX_HELP_WIDTH = 80;

/** The command line without its commands. */
export function createProgram({
  stdout,
  stderr,
}: Pick<Surroundings, "stdout" | "stderr">): Command {
  const helpWidth = Math.max(40, Math.min(stdout.columns ?? MAX_HELP_WIDTH, MAX_HELP_WIDTH));
  const program = new Command("skillwright")
    .summary("find, check, ship and run Agent Skills")
    .description(
      "Finds, checks, ships and runs Agent Skills (agentskills.io): folders with a SKILL.md that teach a model how to do something.",
    )
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    // There is one of our own; see help.ts.
    .helpCommand(false)
    .option(
      "--root <dir>",
      "use this folder of skills instead of the default ones (repeatable)",
      collect,
    )
    .addOption(
      optionWithValues("--source <source>", "only skills of this source", [
        "project",
        "user",
        "builtin",
      ]),
    )
    .option("--config <file>", "read this configuration file instead of the user's own")
    .option("--cwd <dir>", "work as if started in this folder")
    .option("--json", "print one JSON document")
    .option("-q, --quiet", "print only what matters most")
    .option("--verbose", "print more")
    .option("--no-color", "print without colours")
    .configureHelp({
      showGlobalOptions: true,
      minWidthToWrap: 20,
      // What a command takes itself is not repeated below it.
      visibleGlobalOptions(command) {
        const all = Help.prototype.visibleGlobalOptions.call(this, command);
        return all.filter(({ long }) => !command.options.some((own) => own.long === long));
      },
      subcommandTerm: (command) => [command.name(), ...command.aliases()].join(", "),
    })
    .configureOutput({
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => helpWidth,
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
    })
    .showHelpAfterError("(skillwright --help lists commands and options)")
    .exitOverride();
  return addHelp(program, {
    examples: {
      "skillwright init": "prepare this project for skills",
      "skillwright list": "see which skills there are",
      'skillwright run "summarise sales.csv"': "work on a request with them",
      "skillwright help install": "everything about one command",
    },
    exitCodes: {
      0: "done",
      1: "the answer is no: errors were found, something differs, a run failed",
      2: "wrong usage or configuration",
      3: "an approval is needed or was refused",
      4: "a needed part is missing, or there is nothing to judge",
      70: "a bug of ours",
      130: "interrupted",
    },
    seeAlso: ["skillwright help <command>", "README.md", "docs/"],
  });
}
