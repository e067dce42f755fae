import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import {
  executionFailure,
  type ExecutionFailure,
  type Executor,
  type ExecutorOptions,
} from "./executor.ts";
import { trustedProgram } from "./trusted-program.ts";
import type { AdmissionOptions } from "./network/domain-rule.ts";
import type { Sandbox } from "./run.ts";
import type { SandboxRuntimeOptions } from "./sandbox-runtime.ts";

export interface BubblewrapOptions extends ExecutorOptions {
  /** How names of allowed domains are looked up, and which addresses may be connected to. */
  readonly admission?: AdmissionOptions;
}

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
  const { executor, sandbox } = chosen;
  if (sandbox === "none") return executor;
  const probe = await executor.probe();
  return probe.ok ? executor : probe;
}

/** The same without checking that it works here; its first run finds that out. */
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

/** Runs scripts and commands in a sandbox made by bubblewrap. Without it nothing runs. */
export function createBubblewrapExecutor(options: BubblewrapOptions = {}): Executor {
  return lazyExecutor(async () => {
    const { bubblewrapSandbox } = await import("./bubblewrap.ts");
    return createRunner(bubblewrapSandbox(options), options);
  });
}

/** Runs scripts and commands in the sandbox of `@anthropic-ai/sandbox-runtime`, one at a time. */
export function createSandboxRuntimeExecutor(options: SandboxRuntimeOptions = {}): Executor {
  return lazyExecutor(async () => {
    const { sandboxRuntime } = await import("./sandbox-runtime.ts");
    return createRunner(sandboxRuntime(options), { ...options, concurrency: 1 });
  });
}

/**
 * Runs scripts and commands as plain processes of this user. They can read what the user can read,
 * secrets in the environment of this process among them, reach the network and write anywhere: only
 * for skills that are trusted like one's own programs. Never chosen unless asked for by name.
 */
export function createProcessExecutor(options: ExecutorOptions = {}): Executor {
  return lazyExecutor(async () => {
    const { plainProcess } = await import("./plain-process.ts");
    return createRunner(plainProcess, options);
  });
}

const SANDBOXES: Readonly<Record<string, (options: SandboxRuntimeOptions) => Executor>> = {
  bubblewrap: createBubblewrapExecutor,
  "sandbox-runtime": createSandboxRuntimeExecutor,
  none: createProcessExecutor,
};

/** What runs something is loaded when something runs. */
function lazyExecutor(open: () => Promise<Executor>): Executor {
  let opened: Promise<Executor> | undefined;
  const executor = () => (opened ??= open());
  return {
    probe: async () => (await executor()).probe(),
    run: async (request, context) => (await executor()).run(request, context),
  };
}

async function createRunner(sandbox: Sandbox, options: ExecutorOptions): Promise<Executor> {
  const runner = await import("./run.ts");
  const concurrency = options.concurrency ?? Math.max(4, 2 * availableParallelism());
  return runner.createRunner(sandbox, { ...options, concurrency });
}

/** With 0 in one of them, only root can make a sandbox. */
const NAMESPACE_LIMITS = [
  "/proc/sys/user/max_user_namespaces",
  "/proc/sys/kernel/unprivileged_userns_clone",
];

/** As far as that can be seen without starting it. */
function isBubblewrapInstalled(): boolean {
  const isPossible = process.platform === "linux" && trustedProgram("bwrap") !== undefined;
  return isPossible && !NAMESPACE_LIMITS.some((file) => readSetting(file) === "0");
}

function readSetting(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}
