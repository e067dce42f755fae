import { tmpdir } from "node:os";
import { basename } from "node:path";
import { defaultConcurrency, inRunDirectory } from "../bubblewrap-executor.ts";
import { executionFailure, type Executor, refusedReceipt } from "../executor.ts";
import { RunQueue } from "../run-queue.ts";
import { checkProgram } from "./check-program.ts";
import type { CommandExecutor } from "./command-executor.ts";

export interface CommandExecutorOptions {
  /** The one that runs scripts: where it cannot work, no command runs either. */
  readonly executor: Pick<Executor, "probe">;
  /** `none` runs programs without a sandbox; only ever by the user's own choice. */
  readonly sandbox: string;
}

/** Runs programs where and how scripts are run. */
export function createCommandExecutor({
  executor,
  sandbox,
}: CommandExecutorOptions): CommandExecutor {
  const queue = new RunQueue(defaultConcurrency());
  const isConfined = sandbox !== "none";
  const kind = isConfined ? "bubblewrap" : "process";
  // Not in memory: what a process without a sandbox leaves in its folders may be large.
  const place = isConfined ? {} : { temporaryDirectory: tmpdir() };
  return {
    async runProgram(request, context = {}) {
      const probe = await executor.probe();
      if (!probe.ok) return refusedReceipt(kind, probe);
      const checked = checkProgram(request);
      if (!checked.ok) return refusedReceipt(kind, checked);
      const { hidden = [] } = request;
      const run = isConfined
        ? (await import("./run-program-in-bubblewrap.ts")).runProgramInBubblewrap
        : (await import("./run-program-as-process.ts")).runProgramAsProcess;
      const receipt = await queue.run(
        () =>
          inRunDirectory(place, kind, (directory) => run({ checked, hidden, directory, context })),
        context.signal,
      );
      if (receipt !== undefined) return receipt;
      const message = `${basename(request.argv[0] ?? "")} was canceled before it started`;
      return refusedReceipt(kind, executionFailure("canceled", message));
    },
  };
}
