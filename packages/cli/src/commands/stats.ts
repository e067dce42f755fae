import type { Command } from "commander";
import { addHelp } from "../help/add-help.ts";
import type { StatsOptions } from "../stats/stats-command.ts";
import { commandOf } from "./command-of.ts";
import type { WrapAction } from "./command-runner.ts";

export function registerStatsCommand(program: Command, wrap: WrapAction): void {
  const stats = program
    .command("stats")
    .summary("show what each skill costs, and which are never used")
    .description(
      "Counts, from the records of this project's runs, how often each skill was offered, activated and missed, " +
        "which scripts failed, and what it took in tokens and money. Child runs are included, and nothing is counted twice.",
    )
    .option("--since <time>", "only runs of this last time, such as 30d or 12h")
    .action(
      wrap(async (args, console) => {
        const { statsCommand } = await import("../stats/stats-command.ts");
        return statsCommand(commandOf(args).optsWithGlobals<StatsOptions>(), console);
      }),
    );
  addHelp(stats, {
    examples: {
      "skillwright stats": "all runs of this project",
      "skillwright stats --since 30d": "those of the last 30 days",
      "skillwright stats --json": "every figure, for a program",
    },
    exitCodes: { 0: "shown, also when there is no run", 2: "wrong usage or configuration" },
    seeAlso: ["skillwright runs", "docs/agent.md"],
  });
}
