import type { Command } from "commander";
import type { PruneRunsOptions } from "../agent/runs/prune-runs-command.ts";
import type { ReplayRunOptions } from "../agent/runs/replay-run-command.ts";
import type { ResumeRunOptions } from "../agent/runs/resume-run-command.ts";
import type { VerifyRunsOptions } from "../agent/runs/verify-runs-command.ts";
import type { StartRunOptions } from "../agent/run-command.ts";
import * as help from "../agent/run-help.ts";
import { addTrustOption } from "../skills/trust/add-trust-option.ts";
import type { WrapAction } from "./command-runner.ts";

/** `run` and `runs`: the agent, and what it leaves behind. */
export function registerAgentCommands(program: Command, wrap: WrapAction): void {
  registerRun(program, wrap);
  const runs = program
    .command("runs")
    .description("Look at runs, continue and replay them.")
    .addHelpText("after", help.RUNS_HELP);
  registerLooking(runs, wrap);
  registerChanging(runs, wrap);
}

function registerRun(program: Command, wrap: WrapAction): void {
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
    .option("--events", "print every record as a line of JSON")
    .option("--approve <id>", "give it to the run that waits: skillwright runs resume --approve");
  addBudgetOptions(run)
    .addHelpText("after", help.RUN_HELP)
    .action(
      wrap(async (args, console) => {
        const { runCommand } = await import("../agent/run-command.ts");
        const options = commandOf(args).optsWithGlobals<StartRunOptions>();
        return runCommand(args[0] as readonly string[], options, console);
      }),
    );
}

function registerLooking(runs: Command, wrap: WrapAction): void {
  runs
    .command("list")
    .description("List the runs of this project.")
    .addHelpText("after", help.LIST_HELP)
    .action(
      wrap(async (_, console) => {
        const { listRunsCommand } = await import("../agent/runs/list-runs-command.ts");
        return listRunsCommand(console);
      }),
    );
  runs
    .command("show")
    .description("Show what happened in a run, step by step.")
    .argument(...RUN)
    .addHelpText("after", help.SHOW_HELP)
    .action(
      wrap(async (args, console) => {
        const { showRunCommand } = await import("../agent/runs/show-run-command.ts");
        return showRunCommand(args[0] as string, console);
      }),
    );
  runs
    .command("verify")
    .description("Check that records are as they were written.")
    .argument("[run]", "its name, or how it begins (default: all)")
    .option("--remake", "make run.json anew from the record")
    .addHelpText("after", help.VERIFY_HELP)
    .action(
      wrap(async (args, console) => {
        const { verifyRunsCommand } = await import("../agent/runs/verify-runs-command.ts");
        const options = commandOf(args).optsWithGlobals<VerifyRunsOptions>();
        return verifyRunsCommand(args[0] as string | undefined, options, console);
      }),
    );
  runs
    .command("replay")
    .description("Drive the loop once more from the record, and compare. Nothing is done.")
    .argument(...RUN)
    .option("--live", "ask a model what it would decide now, in the same places")
    .option(...MODEL)
    .addHelpText("after", help.REPLAY_HELP)
    .action(
      wrap(async (args, console) => {
        const { replayRunCommand } = await import("../agent/runs/replay-run-command.ts");
        const options = commandOf(args).optsWithGlobals<ReplayRunOptions>();
        return replayRunCommand(args[0] as string, options, console);
      }),
    );
}

/** What acts has a budget; a run that is continued may get another one. */
export function addBudgetOptions(command: Command): Command {
  return addActingOptions(command)
    .option("--budget-turns <number>", "at most so many turns of the model")
    .option("--budget-tool-calls <number>", "at most so many calls of tools, reads and scripts")
    .option("--budget-scripts <number>", "at most so many scripts")
    .option("--budget-tokens <number>", "at most so many tokens")
    .option("--budget-time <time>", "at most so long, such as 90s or 5m")
    .option("--budget-cost <dollars>", "at most so much money");
}

function registerChanging(runs: Command, wrap: WrapAction): void {
  addBudgetOptions(
    runs
      .command("resume")
      .description("Continue a run that was stopped or cut off.")
      .argument(...RUN)
      .option("--approve <id>", "give the approval that it waits for")
      .option("--no-skills", "still use no skill, as the run began")
      .option("--events", "print every record as a line of JSON")
      .addHelpText("after", help.RESUME_HELP),
  ).action(
    wrap(async (args, console) => {
      const { resumeRunCommand } = await import("../agent/runs/resume-run-command.ts");
      const options = commandOf(args).optsWithGlobals<ResumeRunOptions>();
      return resumeRunCommand(args[0] as string, options, console);
    }),
  );
  runs
    .command("prune")
    .description("Remove old runs of this project.")
    .option("--keep <number>", "so many of the newest stay")
    .option("--older-than <time>", "only runs older than this, such as 30d")
    .option("--waiting", "also runs that wait for an approval")
    .addHelpText("after", help.PRUNE_HELP)
    .action(
      wrap(async (args, console) => {
        const { pruneRunsCommand } = await import("../agent/runs/prune-runs-command.ts");
        return pruneRunsCommand(commandOf(args).optsWithGlobals<PruneRunsOptions>(), console);
      }),
    );
}

const RUN = ["<run>", "its name, or how it begins"] as const;
const MODEL = [
  "--model <provider:name>",
  "the model that decides; offline is the embedded one",
] as const;

function addActingOptions(command: Command): Command {
  return addTrustOption(command)
    .option(...MODEL)
    .option("--yes [tools]", "approve calls of these tools, such as run_script")
    .option("--sandbox <sandbox>", "auto, bubblewrap, or none to run scripts without one");
}

function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

/** Commander hands the command itself over as the last argument. */
function commandOf(args: readonly unknown[]): Command {
  return args.at(-1) as Command;
}
