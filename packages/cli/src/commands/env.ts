import type { Command } from "commander";
import type { GlobalOptions } from "../console.ts";
import type { PrepareCommandOptions, RemoveCommandOptions } from "../env/env-commands.ts";
import { addHelp } from "../help/add-help.ts";
import { commandOf } from "./command-of.ts";
import type { WrapAction } from "./command-runner.ts";
import { collect } from "./option-with-values.ts";

const PAGE = "docs/environments.md";

/** The libraries of scripts: `env prepare`, `env list`, `env remove`. */
export function registerEnvCommands(program: Command, wrap: WrapAction): void {
  const env = program
    .command("env")
    .summary("prepare the libraries that scripts declare")
    .description(
      "Prepares the libraries that scripts of skills declare. Scripts run without network; this is the only command that fetches their libraries, with locked versions and hashes.",
    );
  addHelp(env, {
    examples: {
      "skillwright env prepare pdf": "what the scripts of one skill need",
      "skillwright env list": "what was prepared",
      "skillwright env remove pdf": "take it away again",
    },
    exitCodes: { 0: "done", 1: "something could not be done", 2: "wrong usage or configuration" },
    seeAlso: ["skillwright env prepare --help", PAGE],
  });
  const prepare = env
    .command("prepare")
    .summary("fetch and lock the libraries of skills")
    .description(
      "Reads what scripts declare (PEP 723, requirements.txt, pyproject.toml, or package.json with its lockfile), looks the versions up with uv, pip or npm, shows what would be fetched from where, and asks. Only wheels and packages with hashes are installed; none of their code runs now.",
    )
    .argument("[skills...]", "only these; all trusted skills unless given")
    .option("--dry-run", "show what would be fetched, and fetch nothing")
    .option("--upgrade", "look versions up again instead of keeping those that are locked")
    .option("--yes [what]", "approve without asking: --yes=prepare_environment", collect)
    .option("--trust", "trust the skills of this project, this time only")
    .action(
      wrap(async (args, console) => {
        const { prepareCommand } = await import("../env/env-commands.ts");
        const options = commandOf(args).optsWithGlobals<PrepareCommandOptions>();
        return prepareCommand(args[0] as string[], options, console);
      }),
    );
  addHelp(prepare, {
    examples: {
      "skillwright env prepare pdf": "what the scripts of one skill need",
      "skillwright env prepare --dry-run": "what would be fetched for all skills",
      "skillwright env prepare pdf --yes=prepare_environment": "without a question",
    },
    exitCodes: {
      0: "prepared, or ready already",
      1: "something could not be prepared",
      2: "wrong usage or configuration",
      3: "an approval is needed",
    },
    seeAlso: ["skillwright env list", PAGE],
  });
  const list = env
    .command("list")
    .summary("list the environments that were prepared")
    .description(
      "Lists the environments that were prepared: for which skills, with how many libraries, and their size.",
    )
    .action(
      wrap(async (args, console) => {
        const { listEnvironmentsCommand } = await import("../env/env-commands.ts");
        return listEnvironmentsCommand(commandOf(args).optsWithGlobals<GlobalOptions>(), console);
      }),
    );
  addHelp(list, {
    examples: {
      "skillwright env list": "all of them",
      "skillwright env list --json": "with their libraries",
    },
    exitCodes: { 0: "done", 2: "wrong configuration" },
    seeAlso: ["skillwright env prepare", PAGE],
  });
  const remove = env
    .command("remove")
    .summary("remove environments")
    .description(
      "Removes the environments of skills, or those with an id. One that other skills share stays until none is left.",
    )
    .argument("[names...]", "skills, or ids as in env list")
    .option("--all", "remove all of them")
    .action(
      wrap(async (args, console) => {
        const { removeEnvironmentsCommand } = await import("../env/env-commands.ts");
        const options = commandOf(args).optsWithGlobals<RemoveCommandOptions>();
        return removeEnvironmentsCommand(args[0] as string[], options, console);
      }),
    );
  addHelp(remove, {
    examples: {
      "skillwright env remove pdf": "those of one skill",
      "skillwright env remove --all": "all of them",
    },
    exitCodes: { 0: "removed", 1: "there is no such environment", 2: "wrong usage" },
    seeAlso: ["skillwright env list", PAGE],
  });
}
