import { type BubblewrapOptions, createBubblewrapExecutor } from "./bubblewrap-executor.ts";
import { executionFailure, type ExecutionFailure } from "./execution-receipt.ts";
import type { Executor } from "./executor.ts";
import { createProcessExecutor } from "./process-executor.ts";

export interface ChooseExecutorOptions extends BubblewrapOptions {
  /** `auto` is the sandbox of this platform; `none` runs scripts without one. */
  readonly sandbox: string;
}

/**
 * The executor that configuration asks for. A sandbox that is missing or does not work is a failure
 * with the way to mend it: there is no falling back to less.
 */
export async function chooseExecutor({
  sandbox,
  ...options
}: ChooseExecutorOptions): Promise<Executor | ExecutionFailure> {
  if (sandbox === "none") return createProcessExecutor(options);
  if (sandbox !== "auto" && sandbox !== "bubblewrap") {
    const message = `there is no sandbox named ${JSON.stringify(sandbox)}`;
    return executionFailure("sandbox-unknown", message, 'Use "auto", "bubblewrap" or "none".');
  }
  const executor = createBubblewrapExecutor(options);
  const probe = await executor.probe();
  return probe.ok ? executor : probe;
}
