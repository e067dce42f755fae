import { tmpdir } from "node:os";
import { inRunDirectory, neverStarted } from "../bubblewrap-executor.ts";
import { checkRequest } from "../check-request.ts";
import {
  executionFailure,
  type ExecutionFailure,
  type Executor,
  type ExecutorOptions,
  refusedReceipt,
} from "../executor.ts";
import type { AdmissionOptions } from "../network/domain-rule.ts";

/** What is used of `@anthropic-ai/sandbox-runtime`, which has one manager for the whole process. */
export interface SandboxRuntimeManager {
  isSupportedPlatform(): boolean;
  checkDependencies(): { readonly errors: readonly string[] };
  getConfig(): unknown;
  initialize(
    config: SandboxRuntimeConfig,
    /** Asked about every place that no list decides. */
    ask: (place: { readonly host: string; readonly port: number | undefined }) => Promise<boolean>,
  ): Promise<void>;
  wrapWithSandboxArgv(
    /** Read by a shell. */
    command: string,
    shell?: string,
    config?: Partial<SandboxRuntimeConfig>,
  ): Promise<{ readonly argv: readonly string[] }>;
  cleanupAfterCommand(): void;
  /** Ends its proxies, which keep a process from ending. */
  reset(): Promise<void>;
}

export interface SandboxRuntimeConfig {
  readonly network: { readonly allowedDomains: string[]; readonly deniedDomains: string[] };
  readonly filesystem: {
    readonly denyRead: string[];
    readonly allowRead: string[];
    readonly allowWrite: string[];
    readonly denyWrite: string[];
  };
}

type LoadSandboxRuntime = () => Promise<unknown>;

const PACKAGE: string = "@anthropic-ai/sandbox-runtime";
const METHODS = [
  ["isSupportedPlatform", "checkDependencies", "getConfig"],
  ["initialize", "wrapWithSandboxArgv", "cleanupAfterCommand", "reset"],
].flat();

/** Loads the package, which is installed only where it is wanted. */
async function loadSandboxRuntime(
  load: LoadSandboxRuntime = () => import(PACKAGE),
): Promise<{ readonly ok: true; readonly manager: SandboxRuntimeManager } | ExecutionFailure> {
  const hint = `Install it: npm install ${PACKAGE}`;
  let loaded: unknown;
  try {
    loaded = await load();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isMissing = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
    const why = error instanceof Error ? error.message : "unknown reason";
    return isMissing
      ? executionFailure(
          "sandbox-missing",
          `${PACKAGE}, which scripts are confined with, is not installed`,
          hint,
        )
      : executionFailure("sandbox-unusable", `${PACKAGE} cannot be loaded: ${why}`);
  }
  const manager = (loaded as { readonly SandboxManager?: unknown }).SandboxManager;
  if (isManager(manager)) return { ok: true, manager };
  const message = `${PACKAGE} is installed in a version that is not known here`;
  return executionFailure("sandbox-unusable", message, `${hint}@0.0.83`);
}

function isManager(value: unknown): value is SandboxRuntimeManager {
  if (typeof value !== "object" || value === null) return false;
  return METHODS.every((name) => typeof Reflect.get(value, name) === "function");
}

export interface SandboxRuntimeOptions extends ExecutorOptions {
  /** How names of allowed domains are looked up, and which addresses may be connected to. */
  readonly admission?: AdmissionOptions;
  /** Imports the package. */
  readonly loadSandboxRuntime?: LoadSandboxRuntime;
}

/** Runs scripts in the sandbox of `@anthropic-ai/sandbox-runtime`, one at a time. */
export function createSandboxRuntimeExecutor(options: SandboxRuntimeOptions = {}): Executor {
  const { temporaryDirectory = tmpdir() } = options;
  const refuse = (failure: ExecutionFailure) => refusedReceipt("sandbox-runtime", failure);
  const open = async () => {
    const loaded = await loadSandboxRuntime(options.loadSandboxRuntime);
    if (!loaded.ok) return loaded;
    const { SandboxRuntimeSession } = await import("./sandbox-runtime-session.ts");
    const session = SandboxRuntimeSession.of(loaded.manager);
    const started = await session.probe();
    return started.ok ? ({ ok: true, session } as const) : started;
  };
  return {
    async probe() {
      const opened = await open();
      return opened.ok ? { ok: true } : opened;
    },
    async run(request, context = {}) {
      const checked = checkRequest(request);
      if (!checked.ok) return refuse(checked);
      const opened = await open();
      if (!opened.ok) return refuse(opened);
      const { session } = opened;
      const { runAsProcess } = await import("../run-as-process.ts");
      const { confineScript } = await import("./confine-script.ts");
      const receipt = await session.queue.run(
        () =>
          inRunDirectory({ temporaryDirectory }, "sandbox-runtime", (directory) => {
            const task = { request, checked, directory, context, options };
            return runAsProcess(task, confineScript(session, task));
          }),
        context.signal,
      );
      return receipt ?? refuse(neverStarted(request));
    },
  };
}
