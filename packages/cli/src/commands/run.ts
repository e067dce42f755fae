import { collect } from "./option-with-values.ts";
import type { Command } from "commander";
import type { StartRunOptions } from "../agent/run-command.ts";
import { RUN_HELP } from "../agent/run-help.ts";
import { addTrustOption } from "../skills/trust/add-trust-option.ts";
import { commandOf } from "./command-of.ts";
import type { WrapAction } from "./command-runner.ts";

/** `run`: the agent. */
export function registerRunCommand(program: Command, wrap: WrapAction): void {
  const run = program
    .command("run")
    .summary("work on a request with the skills there are")
    .description(
      "Works on a request: chooses skills, reads what it needs, acts under policy, and answers.\n" +
        "Every run is recorded in .agent/runs and can be shown, continued and replayed.",
    )
    .argument("[request...]", "in your own words; - or nothing takes it from stdin")
    .option("--file <path>", "give this file with the request; - is stdin (repeatable)", collect)
    .option("--skill <name>", "use this skill, whatever the model thinks (repeatable)", collect)
    .option("--no-skills", "use no skill at all, for a baseline")
    .option(
      "--route <how>",
      "hint names a skill that clearly fits to the model, auto loads it first, off does neither",
    )
    .option("--events", "print every record as a line of JSON")
    .option("--approve <id>", "give it to the run that waits: skillwright runs resume --approve");
  addBudgetOptions(run)
    .addHelpText("after", RUN_HELP)
    .action(
      wrap(async (args, console) => {
        const { runCommand } = await import("../agent/run-command.ts");
        const options = commandOf(args).optsWithGlobals<StartRunOptions>();
        return runCommand(args[0] as readonly string[], options, console);
      }),
    );
}

/** What acts has a budget. */
export function addBudgetOptions(command: Command): Command {
  return addLimitOptions(addActingOptions(command));
}

function addLimitOptions(command: Command): Command {
  return command
    .option("--budget-turns <number>", "limit on model turns")
    .option("--budget-tool-calls <number>", "limit on tool calls, reads and scripts included")
    .option("--budget-scripts <number>", "limit on scripts")
    .option("--budget-tokens <number>", "limit on tokens")
    .option("--budget-time <time>", "at most so long, such as 90s or 5m")
    .option("--budget-cost <dollars>", "at most so much money");
}

export function addModelOptions(command: Command): Command {
  return command
    .option("--model <provider:name>", "the model that decides; offline is the built-in demo")
    .option(
      "--model-param <name=value>",
      "a parameter of the model, such as temperature=0.2; repeatable",
      collect,
    );
}

export function addActingOptions(command: Command): Command {
  return addModelOptions(addTrustOption(command))
    .option(
      "--yes [tools]",
      "approve calls of these tools, such as run_script; repeatable",
      collect,
    )
    .option(
      "--writable <folder>",
      "keep what scripts change in this folder without asking; repeatable",
      collect,
    )
    .option(
      "--sandbox <sandbox>",
      "auto, bubblewrap, sandbox-runtime, or none to run scripts without one",
    );
}
