import { executionFailure, type ExecutionFailure } from "../executor.ts";

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

export type LoadSandboxRuntime = () => Promise<unknown>;

const PACKAGE: string = "@anthropic-ai/sandbox-runtime";
const METHODS = [
  ["isSupportedPlatform", "checkDependencies", "getConfig"],
  ["initialize", "wrapWithSandboxArgv", "cleanupAfterCommand", "reset"],
].flat();

/** Loads the package, which is installed only where it is wanted. */
export async function loadSandboxRuntime(
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
