import type { Command } from "commander";
import type { PruneRunsOptions } from "../agent/runs/prune-runs-command.ts";
import type { ReplayRunOptions } from "../agent/runs/replay-run-command.ts";
import type { ResumeRunOptions } from "../agent/runs/resume-run-command.ts";
import type { VerifyRunsOptions } from "../agent/runs/verify-runs-command.ts";
import type { RunCommandOptions } from "../agent/run-options.ts";
import { addTrustOption } from "../skills/trust/add-trust-option.ts";
import type { WrapAction } from "./command-runner.ts";

/** `run` and `runs`: the agent, and what it leaves behind. */
export function registerAgentCommands(program: Command, wrap: WrapAction): void {
  addBudgetOptions(
    program
      .command("run")
      .summary("work on a request with the skills there are")
      .description(
        "Works on a request: chooses skills, reads what it needs, acts under policy, and answers.\n" +
          "/skill-name calls a skill directly. Every run is recorded in .agent/runs.",
      )
      .argument("<request...>", "in your own words"),
  )
    .addHelpText(
      "after",
      `
Exit codes: 0 answered, 1 failed or out of budget, 2 wrong usage, 3 an approval is needed or was
refused, 4 the sandbox is missing, 130 canceled.`,
    )
    .action(
      wrap(async (args, console) => {
        const { runCommand } = await import("../agent/run-command.ts");
        const options = commandOf(args).optsWithGlobals<RunCommandOptions>();
        return runCommand(args[0] as readonly string[], options, console);
      }),
    );
  const runs = program.command("runs").description("Look at runs, continue and replay them.");
  registerLooking(runs, wrap);
  registerChanging(runs, wrap);
}

function registerLooking(runs: Command, wrap: WrapAction): void {
  runs
    .command("list")
    .description("List the runs of this project.")
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
    .action(
      wrap(async (args, console) => {
        const { replayRunCommand } = await import("../agent/runs/replay-run-command.ts");
        const options = commandOf(args).optsWithGlobals<ReplayRunOptions>();
        return replayRunCommand(args[0] as string, options, console);
      }),
    );
}

/** What acts has a budget; a run that is continued may get another one. */
function addBudgetOptions(command: Command): Command {
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
      .option("--approve <id>", "give the approval that it waits for"),
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

/** Commander hands the command itself over as the last argument. */
function commandOf(args: readonly unknown[]): Command {
  return args.at(-1) as Command;
}
