import type { Command } from "commander";
import type { PruneRunsOptions } from "../agent/runs/prune-runs-command.ts";
import type { VerifyCallsOptions } from "../audit/verify-calls-command.ts";
import { addHelp } from "../help/add-help.ts";
import { commandOf } from "./command-of.ts";
import type { WrapAction } from "./command-runner.ts";

const SEE_ALSO = ["skillwright runs", "docs/runtime.md"] as const;
const USAGE = "wrong usage or configuration";

/** `audit`: the records of calls that belong to no run. */
export function registerAuditCommands(program: Command, wrap: WrapAction): void {
  const audit = addHelp(
    program
      .command("audit")
      .summary("check and remove the records of single calls")
      .description(
        "Each `tools call` and each start of `mcp` leaves a record in the user's state. Runs of the agent have " +
          "separate records: see `runs verify`.",
      ),
    {
      examples: {
        "skillwright audit verify": "are all records there, as they were written?",
        "skillwright audit prune --older-than 90d": "those of the last 90 days stay",
      },
      exitCodes: { 0: "done", 1: "a record is missing or not as it was written", 2: USAGE },
      seeAlso: SEE_ALSO,
    },
  );
  const verify = audit
    .command("verify")
    .summary("check that the records of calls are as they were written")
    .description(
      "Checks the chain of hashes of each record, and reports records that were deleted without `audit prune`.",
    )
    .option("--accept", "do not report again what is missing now")
    .action(
      wrap(async (args, console) => {
        const { verifyCallsCommand } = await import("../audit/verify-calls-command.ts");
        return verifyCallsCommand(commandOf(args).optsWithGlobals<VerifyCallsOptions>(), console);
      }),
    );
  addHelp(verify, {
    examples: {
      "skillwright audit verify": "all of this user",
      "skillwright audit verify --accept": "after records were deleted by hand",
    },
    exitCodes: { 0: "all as written", 1: "something is not, or records are missing", 2: USAGE },
    seeAlso: [...SEE_ALSO, "docs/security-model.md"],
  });
  const prune = audit
    .command("prune")
    .summary("remove old records of calls")
    .description(
      "Removes records of calls with what those calls deleted, which can then not be restored. Without flags it " +
        "does what runs.keep and runs.keepDays of your configuration say. What is being written, damaged, " +
        "or holds changes stays.",
    )
    .option("--keep <number>", "number of newest to keep")
    .option("--older-than <time>", "only records older than this, such as 90d")
    .action(
      wrap(async (args, console) => {
        const { pruneCallsCommand } = await import("../audit/prune-calls-command.ts");
        return pruneCallsCommand(commandOf(args).optsWithGlobals<PruneRunsOptions>(), console);
      }),
    );
  addHelp(prune, {
    examples: { "skillwright audit prune --keep 100": "only the newest 100 stay" },
    exitCodes: { 0: "done", 2: "neither flags nor configuration say what is to go" },
    seeAlso: [...SEE_ALSO, "docs/configuration.md"],
  });
}
