import type { Console } from "../console.ts";
import { CommandFailure, EXIT } from "../exit-code.ts";
import { continueCommand } from "./continue-command.ts";
import type { AgentOptions } from "./run-options.ts";
import { listRuns, openRuns, summaryOf } from "@skillwright/app/internal";

/** An approval is for a run that waits for it, not for a new one: the command that gives it. */
export async function refuseApproval(
  approve: string,
  options: AgentOptions,
  console: Console,
): Promise<never> {
  const runId = await waitingRun(approve, console);
  const words = continueCommand({ runId: runId ?? "<run>", approve }, options);
  const command = words.join(" ").replace("'<run>'", "<run>");
  const hint =
    runId === undefined
      ? `no run here waits for it; skillwright runs list names those there are, then: ${command}`
      : command;
  throw new CommandFailure(EXIT.usage, "--approve goes on with a run that waits; run begins one", {
    hint,
  });
}

async function waitingRun(approve: string, console: Console): Promise<string | undefined> {
  const store = await openRuns(console);
  for (const runId of await listRuns(store)) {
    const summary = await summaryOf(store, runId);
    if (summary?.approval === approve && summary.parent === undefined) return runId;
  }
  return undefined;
}
