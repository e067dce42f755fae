import { createBubblewrapExecutor } from "./bubblewrap-executor.ts";
import type { BubblewrapOptions } from "./bubblewrap-options.ts";
import { executionFailure, type ExecutionFailure, type Executor } from "./executor.ts";
import { isBubblewrapInstalled } from "./probe-bubblewrap.ts";
import { createProcessExecutor } from "./process-executor.ts";
import {
  createSandboxRuntimeExecutor,
  type SandboxRuntimeOptions,
} from "./sandbox-runtime/sandbox-runtime-executor.ts";

export interface ChooseExecutorOptions extends BubblewrapOptions, SandboxRuntimeOptions {
  /** `auto` is the sandbox of this platform; `none` runs scripts without one. */
  readonly sandbox: string;
  readonly platform?: NodeJS.Platform;
}

export interface ChosenExecutor {
  readonly ok: true;
  readonly executor: Executor;
  /** What holds the scripts: `bubblewrap`, `sandbox-runtime`, or `none`. */
  readonly sandbox: string;
}

/**
 * The executor that configuration asks for. A sandbox that is missing or does not work is a failure
 * with the way to mend it: there is no falling back to less.
 */
export async function chooseExecutor(
  options: ChooseExecutorOptions,
): Promise<Executor | ExecutionFailure> {
  const chosen = createExecutor(options);
  if (!chosen.ok) return chosen;
  const { executor, sandbox } = chosen;
  if (sandbox === "none") return executor;
  const probe = await executor.probe();
  return probe.ok ? executor : probe;
}

/** The same without a look at whether it works here; its first run finds that out. */
export function createExecutor({
  sandbox,
  platform = process.platform,
  ...options
}: ChooseExecutorOptions): ChosenExecutor | ExecutionFailure {
  const platformSandbox = platform === "linux" ? "bubblewrap" : "sandbox-runtime";
  const name = sandbox === "auto" ? platformSandbox : sandbox;
  const create = Object.hasOwn(SANDBOXES, name) ? SANDBOXES[name] : undefined;
  if (create !== undefined) return { ok: true, executor: create(options), sandbox: name };
  const message = `there is no sandbox named ${JSON.stringify(sandbox)}`;
  const names = ["auto", ...Object.keys(SANDBOXES)].map((known) => JSON.stringify(known));
  return executionFailure("sandbox-unknown", message, `Use one of ${names.join(", ")}.`);
}

/**
 * Whether something holds scripts and commands here. For bubblewrap no process is started: it may be
 * installed and still not work, which its first run finds out.
 */
export async function hasSandbox({
  executor,
  sandbox,
}: Omit<ChosenExecutor, "ok">): Promise<boolean> {
  if (sandbox === "none") return false;
  return sandbox === "bubblewrap" ? isBubblewrapInstalled() : (await executor.probe()).ok;
}

type Create = (options: Omit<ChooseExecutorOptions, "sandbox">) => Executor;

const SANDBOXES: Readonly<Record<string, Create>> = {
  bubblewrap: (options) => createBubblewrapExecutor(options),
  "sandbox-runtime": (options) => createSandboxRuntimeExecutor(options),
  none: (options) => createProcessExecutor(options),
};
