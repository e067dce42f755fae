import type { Command } from "commander";
import type { ChangesOptions } from "../agent/runs/changes-command.ts";
import type { PruneRunsOptions } from "../agent/runs/prune-runs-command.ts";
import type { ResumeRunOptions } from "../agent/runs/resume-run-command.ts";
import type { VerifyRunsOptions } from "../agent/runs/verify-runs-command.ts";
import { addHelp } from "../help/add-help.ts";
import { addBudgetOptions } from "./run.ts";
import { commandOf } from "./command-of.ts";
import type { WrapAction } from "./command-runner.ts";

const RUN = ["<run>", "its name, or how it begins"] as const;
const SEE_ALSO = ["skillwright run", "docs/agent.md"] as const;
const NO_RUN = "there is no such run, or its record is not as it was written";
const USAGE = "wrong usage or configuration";

/** `runs`: what the agent leaves behind. */
export function registerRunsCommands(program: Command, wrap: WrapAction): void {
  const runs = addHelp(
    program
      .command("runs")
      .summary("look at runs, continue and replay them")
      .description(
        "Every run leaves a record in .agent/runs of the project. A run is named by its id, or how that begins.",
      ),
    {
      examples: {
        "skillwright runs list": "the newest first",
        "skillwright runs show": "what happened in the latest, step by step",
        "skillwright runs resume 20261116T1037": "go on with it",
      },
      exitCodes: { 0: "done", 1: NO_RUN, 2: USAGE },
      seeAlso: SEE_ALSO,
    },
  );
  registerList(runs, wrap);
  registerShow(runs, wrap);
  registerResume(runs, wrap);
  registerChanges(runs, wrap);
  registerReplay(runs, wrap);
  registerVerify(runs, wrap);
  registerPrune(runs, wrap);
}

function registerList(runs: Command, wrap: WrapAction): void {
  const list = runs
    .command("list")
    .summary("list the runs of this project")
    .description("Lists the runs of this project, the newest first, with how they ended.")
    .action(
      wrap(async (_, console) => {
        const { listRunsCommand } = await import("../agent/runs/list-runs-command.ts");
        return listRunsCommand(console);
      }),
    );
  addHelp(list, {
    examples: {
      "skillwright runs list": "as a table",
      "skillwright runs list --json": "for a program",
    },
    exitCodes: { 0: "done, also when there is none", 2: USAGE },
    seeAlso: SEE_ALSO,
  });
}

function registerShow(runs: Command, wrap: WrapAction): void {
  const show = runs
    .command("show")
    .summary("show what happened in a run, step by step")
    .description(
      "Shows the request, the end, what was used, each step with its time, the answer, and what an approval " +
        "that the run waits for would allow.",
    )
    .argument("[run]", "its name, or how it begins (default: the latest)")
    .action(
      wrap(async (args, console) => {
        const { showRunCommand } = await import("../agent/runs/show-run-command.ts");
        return showRunCommand(args[0] as string | undefined, console);
      }),
    );
  addHelp(show, {
    examples: {
      "skillwright runs show": "the latest, for a person",
      "skillwright runs show 20261116T1037 --json": "every record, for a program",
    },
    exitCodes: { 0: "shown", 1: NO_RUN, 2: USAGE },
    seeAlso: SEE_ALSO,
  });
}

/** What acts has a budget; a run that is continued may get another one. */
function registerResume(runs: Command, wrap: WrapAction): void {
  const resume = runs
    .command("resume")
    .summary("continue a run that was stopped or cut off")
    .description(
      "Continues a run. What was done is not done again; what had begun is reported to the model as " +
        "interrupted. Policy, trust and skills are those of now. Without --model, the model is the one of the " +
        "record; without a budget, what is left of the first one counts.",
    )
    .argument("[run]", "its id, or how that begins; default: the latest run that is not finished")
    .option("--approve <id>", "give the approval that it waits for")
    .option("--no-skills", "still use no skill, as the run began")
    .option("--events", "print every record as a line of JSON");
  addBudgetOptions(resume).action(
    wrap(async (args, console) => {
      const { resumeRunCommand } = await import("../agent/runs/resume-run-command.ts");
      const options = commandOf(args).optsWithGlobals<ResumeRunOptions>();
      return resumeRunCommand(args[0] as string | undefined, options, console);
    }),
  );
  addHelp(resume, {
    examples: {
      "skillwright runs resume": "continue the latest run that is not finished",
      "skillwright runs resume 20261116T1037": "continue this one",
      "skillwright runs resume 20261116T1037 --approve 4d93812f": "with the approval it waits for",
      "skillwright runs resume 20261116T1037 --budget-turns 30": "with more turns",
    },
    exitCodes: {
      0: "answered",
      1: "failed or out of budget, or there is no such run",
      2: USAGE,
      3: "an approval is needed or was refused",
      4: "the sandbox is missing",
      130: "stopped",
    },
    seeAlso: SEE_ALSO,
  });
}

function registerChanges(runs: Command, wrap: WrapAction): void {
  const changes = runs
    .command("changes")
    .summary("show, keep, discard or undo what scripts of a run changed")
    .description(
      "Scripts change a copy of the working directory. Changes that were not decided on during the run are held with it. " +
        "Without a flag they are shown. A file that changed meanwhile is left alone and reported. What you decide is recorded with the run.",
    )
    .argument(
      "[run]",
      "its name, or how it begins (default: the latest with changes that wait, else the latest)",
    )
    .argument("[paths...]", "only these files and folders")
    .option("--apply", "keep the changes")
    .option("--discard", "forget them")
    .option("--undo", "take back what was kept, during the run or later")
    .action(
      wrap(async (args, console) => {
        const { changesCommand } = await import("../agent/runs/changes-command.ts");
        const options = commandOf(args).optsWithGlobals<ChangesOptions>();
        return changesCommand(args[0] as string | undefined, args[1] as string[], options, console);
      }),
    );
  addHelp(changes, {
    examples: {
      "skillwright runs changes": "what waits in the latest run, as a list and a diff",
      "skillwright runs changes 20261116T1037 --apply": "keep everything",
      "skillwright runs changes 20261116T1037 report.md --apply": "keep one file",
      "skillwright runs changes 20261116T1037 --discard": "keep nothing",
      "skillwright runs changes 20261116T1037 --undo": "take back what was kept of scripts",
    },
    exitCodes: { 0: "done", 1: `a file changed meanwhile, or ${NO_RUN}`, 2: USAGE },
    seeAlso: [...SEE_ALSO, "docs/runtime.md"],
  });
}

function registerReplay(runs: Command, wrap: WrapAction): void {
  const replay = runs
    .command("replay")
    .summary("drive the loop once more from the record, and compare")
    .description(
      "No model is asked and nothing is done: the loop is driven from the record, and every event compared.",
    )
    .argument(...RUN)
    .action(
      wrap(async (args, console) => {
        const { replayRunCommand } = await import("../agent/runs/replay-run-command.ts");
        return replayRunCommand(args[0] as string, console);
      }),
    );
  addHelp(replay, {
    examples: {
      "skillwright runs replay 20261116T1037": "is the loop of now the one of then?",
    },
    exitCodes: { 0: "the same", 1: `something differs, or ${NO_RUN}`, 2: USAGE },
    seeAlso: SEE_ALSO,
  });
}

function registerVerify(runs: Command, wrap: WrapAction): void {
  const verify = runs
    .command("verify")
    .summary("check that records are as they were written")
    .description(
      "Checks the chain of hashes of each record, its run.json, and the outputs beside it. Without a name it " +
        "also reports runs of this project that were deleted without `runs prune`.",
    )
    .argument("[run]", "its name, or how it begins (default: all)")
    .option("--remake", "make run.json anew from the record")
    .option("--accept", "do not report again what is missing now")
    .action(
      wrap(async (args, console) => {
        const { verifyRunsCommand } = await import("../agent/runs/verify-runs-command.ts");
        const options = commandOf(args).optsWithGlobals<VerifyRunsOptions>();
        return verifyRunsCommand(args[0] as string | undefined, options, console);
      }),
    );
  addHelp(verify, {
    examples: {
      "skillwright runs verify": "all of this project",
      "skillwright runs verify 20261116T1037 --remake": "with a new run.json",
      "skillwright runs verify --accept": "after runs were deleted by hand",
    },
    exitCodes: {
      0: "all as written",
      1: "something is not, runs are missing, or there is no such run",
      2: USAGE,
    },
    seeAlso: [...SEE_ALSO, "docs/security-model.md"],
  });
}

function registerPrune(runs: Command, wrap: WrapAction): void {
  const prune = runs
    .command("prune")
    .summary("remove old runs of this project")
    .description(
      "Without flags it does what runs.keep and runs.keepDays of your configuration say. Runs that wait for an " +
        "approval or hold changes stay unless --waiting is given; what is being written or damaged stays in any case.",
    )
    .option("--keep <number>", "number of newest to keep")
    .option("--older-than <time>", "only runs older than this, such as 30d")
    .option("--waiting", "also runs that wait for an approval or hold changes")
    .action(
      wrap(async (args, console) => {
        const { pruneRunsCommand } = await import("../agent/runs/prune-runs-command.ts");
        return pruneRunsCommand(commandOf(args).optsWithGlobals<PruneRunsOptions>(), console);
      }),
    );
  addHelp(prune, {
    examples: {
      "skillwright runs prune --keep 20": "only the newest 20 stay",
      "skillwright runs prune --older-than 30d --waiting": "those of the last 30 days stay",
    },
    exitCodes: { 0: "done", 2: "neither flags nor configuration say what is to go" },
    seeAlso: [...SEE_ALSO, "docs/configuration.md"],
  });
}
