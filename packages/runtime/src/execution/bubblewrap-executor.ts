import { availableParallelism } from "node:os";
import type { BubblewrapOptions } from "./bubblewrap-options.ts";
import { checkRequest } from "./check-request.ts";
import {
  executionFailure,
  type ExecutionFailure,
  type ExecutionReceipt,
  type ExecutionRequest,
  type Executor,
  type ExecutorOptions,
  refusedReceipt,
} from "./executor.ts";
import { makeRunDirectory, removePlaceholders, removeSoon } from "./run-directory.ts";
import { RunQueue } from "./run-queue.ts";

/** Runs scripts in a sandbox made by bubblewrap. Without it nothing runs. */
export function createBubblewrapExecutor(options: BubblewrapOptions = {}): Executor {
  const queue = new RunQueue(options.concurrency ?? defaultConcurrency());
  let probed: Promise<{ readonly ok: true } | ExecutionFailure> | undefined;
  const askOnce = async () => {
    const { probeBubblewrap } = await import("./probe-bubblewrap.ts");
    return probeBubblewrap(options.temporaryDirectory);
  };
  const probe = () =>
    (probed ??= askOnce().catch((error: unknown) => {
      probed = undefined;
      const failure = systemFailure(error);
      if (failure === undefined) throw error;
      return failure;
    }));
  const refuse = (failure: ExecutionFailure) => refusedReceipt("bubblewrap", failure);

  return {
    probe,
    async run(request, context = {}) {
      const checked = checkRequest(request);
      if (!checked.ok) return refuse(checked);
      const probe = await this.probe();
      if (!probe.ok) return refuse(probe);
      const { runInBubblewrap } = await import("./run-in-bubblewrap.ts");
      const run = () =>
        inRunDirectory(options, "bubblewrap", (directory) =>
          runInBubblewrap({ request, checked, directory, context, options }),
        );
      const receipt = await queue.run(run, context.signal);
      return receipt ?? refuse(neverStarted(request));
    },
  };
}

export function defaultConcurrency(): number {
  return Math.max(4, 2 * availableParallelism());
}

export function neverStarted({ script }: ExecutionRequest): ExecutionFailure {
  return executionFailure("canceled", `${script} was canceled before it started`);
}

/**
 * Everything of a run lies in one private folder, which is gone afterwards. A disk that is full or
 * may not be written is a failure like any other.
 */
export async function inRunDirectory(
  { temporaryDirectory }: ExecutorOptions,
  sandbox: ExecutionReceipt["sandbox"],
  work: (directory: string) => Promise<ExecutionReceipt>,
): Promise<ExecutionReceipt> {
  let directory: string | undefined;
  try {
    directory = makeRunDirectory(temporaryDirectory);
    return await work(directory);
  } catch (error) {
    const failure = systemFailure(error);
    if (failure === undefined) throw error;
    return refusedReceipt(sandbox, failure);
  } finally {
    if (directory !== undefined) {
      removePlaceholders(directory);
      removeSoon(directory);
    }
  }
}

function systemFailure(error: unknown): ExecutionFailure | undefined {
  if (!(error instanceof Error) || !("syscall" in error)) return undefined;
  return executionFailure("run-failed", `the run could not be prepared: ${error.message}`);
}
