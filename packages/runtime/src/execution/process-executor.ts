import { tmpdir } from "node:os";
import { defaultConcurrency, inRunDirectory, neverStarted } from "./bubblewrap-executor.ts";
import { checkRequest } from "./check-request.ts";
import {
  type ExecutionFailure,
  type Executor,
  type ExecutorOptions,
  refusedReceipt,
} from "./executor.ts";
import { RunQueue } from "./run-queue.ts";

/**
 * Runs scripts as plain processes of this user. They can read what the user can read, secrets in
 * the environment of this process among them, reach the network and write anywhere: only for skills
 * that are trusted like one's own programs. Never chosen unless asked for by name.
 */
export function createProcessExecutor(options: ExecutorOptions = {}): Executor {
  const queue = new RunQueue(options.concurrency ?? defaultConcurrency());
  // Not in memory: what scripts write to their temporary folder may be large.
  const { temporaryDirectory = tmpdir() } = options;
  const refuse = (failure: ExecutionFailure) => refusedReceipt("process", failure);
  return {
    probe: () => Promise.resolve({ ok: true }),
    async run(request, context = {}) {
      const checked = checkRequest(request);
      if (!checked.ok) return refuse(checked);
      const { runAsProcess } = await import("./run-as-process.ts");
      const receipt = await queue.run(
        () =>
          inRunDirectory({ temporaryDirectory }, "process", (directory) =>
            runAsProcess({ request, checked, directory, context, options }),
          ),
        context.signal,
      );
      return receipt ?? refuse(neverStarted(request));
    },
  };
}
