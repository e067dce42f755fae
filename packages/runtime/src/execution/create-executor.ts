import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import type { BubblewrapOptions } from "./bubblewrap.ts";
import { type Executor, type ExecutorOptions } from "./executor.ts";
import { executionFailure, type ExecutionFailure } from "./execution-failure.ts";
import { systemText } from "./child-process.ts";
import type { Sandbox } from "./run.ts";
import type { SandboxRuntimeOptions } from "./sandbox-runtime.ts";
import { trustedProgram } from "./find-program.ts";

export interface ChooseExecutorOptions extends SandboxRuntimeOptions {
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
 * with the way to fix it, never a silent fallback.
 */
export async function chooseExecutor(
  options: ChooseExecutorOptions,
): Promise<Executor | ExecutionFailure> {
  const chosen = createExecutor(options);
  if (!chosen.ok) return chosen;
  const probe = await chosen.executor.probe();
  return probe.ok ? chosen.executor : probe;
}

const OPTIONS: OptionKinds<ChooseExecutorOptions> = {
  sandbox: "string",
  platform: "string",
  temporaryDirectory: "string",
  admission: "object",
  loadSandboxRuntime: "function",
};

/** The same without checking that it works here; its first run finds that out. */
export function createExecutor(given: ChooseExecutorOptions): ChosenExecutor | ExecutionFailure {
  checkOptions("createExecutor", given, OPTIONS, ["sandbox"]);
  const { sandbox, platform = process.platform, ...options } = given;
  const platformSandbox = platform === "linux" ? "bubblewrap" : "sandbox-runtime";
  const name = sandbox === "auto" ? platformSandbox : sandbox;
  const create = EXECUTORS.get(name);
  if (create !== undefined) return { ok: true, executor: create(options), sandbox: name };
  const message = `there is no sandbox named ${JSON.stringify(sandbox)}`;
  const names = ["auto", ...EXECUTORS.keys()].map((known) => JSON.stringify(known));
  return executionFailure("sandbox-unknown", message, `Use one of ${names.join(", ")}.`);
}

/** Runs scripts and commands in a sandbox made by bubblewrap. Without it nothing runs. */
export function createBubblewrapExecutor(options: BubblewrapOptions = {}): Executor {
  return lazyExecutor(options, async () =>
    (await import("./bubblewrap.ts")).bubblewrapSandbox(options),
  );
}

/** Runs scripts and commands in the sandbox of `@anthropic-ai/sandbox-runtime`, one at a time. */
export function createSandboxRuntimeExecutor(options: SandboxRuntimeOptions = {}): Executor {
  return lazyExecutor(options, async () =>
    (await import("./sandbox-runtime.ts")).sandboxRuntime(options),
  );
}

/**
 * Runs scripts and commands as plain processes of this user. They can read what the user can read,
 * secrets in the environment of this process among them, reach the network and write anywhere: only
 * for skills that are trusted like one's own programs. Never chosen unless asked for by name.
 */
export function createProcessExecutor(options: ExecutorOptions = {}): Executor {
  return lazyExecutor(options, async () => (await import("./plain-process.ts")).plainProcess);
}

const EXECUTORS: ReadonlyMap<string, (options: SandboxRuntimeOptions) => Executor> = new Map([
  ["bubblewrap", createBubblewrapExecutor],
  ["sandbox-runtime", createSandboxRuntimeExecutor],
  ["none", createProcessExecutor],
]);

/** What runs something is loaded when something runs. */
function lazyExecutor(options: ExecutorOptions, load: () => Promise<Sandbox>): Executor {
  let opened: Promise<Executor> | undefined;
  const open = async () => (await import("./run.ts")).createRunner(await load(), options);
  const executor = () => (opened ??= open());
  return {
    probe: async () => (await executor()).probe(),
    run: async (request, context) => (await executor()).run(request, context),
  };
}

/** With 0 in one of them, only root can make a sandbox. */
const NAMESPACE_LIMITS = [
  "/proc/sys/user/max_user_namespaces",
  "/proc/sys/kernel/unprivileged_userns_clone",
];

/**
 * Whether something holds scripts and commands here. For bubblewrap no process is started: it may be
 * installed and still not work, which its first run finds out.
 */
export async function hasSandbox({
  executor,
  sandbox,
}: Omit<ChosenExecutor, "ok">): Promise<boolean> {
  if (sandbox === "none") return false;
  if (sandbox !== "bubblewrap") return (await executor.probe()).ok;
  const isInstalled = process.platform === "linux" && trustedProgram("bwrap") !== undefined;
  return isInstalled && !NAMESPACE_LIMITS.some((file) => systemText(file).trim() === "0");
}
