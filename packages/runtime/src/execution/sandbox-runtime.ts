import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { executionFailure, type ExecutionFailure, type ExecutorOptions } from "./executor.ts";
import {
  type AdmissionOptions,
  admitTarget,
  type DomainRule,
  isPort,
  NetworkRecord,
  plainHost,
} from "./network/domain-rule.ts";
import { processPlaces, runProcess } from "./plain-process.ts";
import { afterRun, neverStarted, type Run, type RunEnd, RunQueue, type Sandbox } from "./run.ts";

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

export interface SandboxRuntimeOptions extends ExecutorOptions {
  /** How names of allowed domains are looked up, and which addresses may be connected to. */
  readonly admission?: AdmissionOptions;
  /** Imports the package. */
  readonly loadSandboxRuntime?: LoadSandboxRuntime;
}

const PACKAGE: string = "@anthropic-ai/sandbox-runtime";
const METHODS = [
  ["isSupportedPlatform", "checkDependencies", "getConfig"],
  ["initialize", "wrapWithSandboxArgv", "cleanupAfterCommand", "reset"],
].flat();

/** Where people keep what is theirs. All else can be read, as far as this user may. */
const HOMES = ["/home", "/Users", "/root"];

export function sandboxRuntime(options: SandboxRuntimeOptions): Sandbox {
  const open = async () => {
    const loaded = await loadSandboxRuntime(options.loadSandboxRuntime);
    return loaded.ok
      ? { ok: true as const, session: SandboxRuntimeSession.of(loaded.manager) }
      : loaded;
  };
  return {
    name: "sandbox-runtime",
    async probe() {
      const opened = await open();
      return opened.ok ? opened.session.probe() : opened;
    },
    places: processPlaces,
    async run(run) {
      const opened = await open();
      if (!opened.ok) return opened;
      const { session } = opened;
      const work = () => runInSession(session, run, options.admission ?? {});
      const ended = await session.queue.run(work, run.context.signal);
      return ended ?? neverStarted(run.checked);
    },
  };
}

/** Holds one run to what it may read, write and reach. */
async function runInSession(
  session: SandboxRuntimeSession,
  run: Run,
  admission: AdmissionOptions,
): Promise<RunEnd | ExecutionFailure> {
  const { request, checked, prepared, directory, context } = run;
  const { hidden = [] } = request;
  const { root, domains } = checked;
  // There is no view to look at what was changed, so nothing of the user's can be.
  const output = context.changes?.output;
  const record = new NetworkRecord();
  const opened = await session.open(domains, admission, record);
  if (!opened.ok) return opened;
  let ended: RunEnd | ExecutionFailure;
  try {
    ended = await runProcess(run, (command, { own, cwd }) => {
      const allowWrite = [...own, ...(output === undefined ? [] : [output])];
      const allowRead = [directory, ...prepared.binds, root ?? cwd, ...allowWrite];
      const homes = [homedir(), ...HOMES].filter((path) => existsSync(path));
      return session.wrap(command, {
        denyRead: [...new Set([...homes, ...hidden])],
        allowRead: [...new Set(allowRead)],
        allowWrite,
        denyWrite: [],
      });
    });
  } catch (error) {
    await session.close();
    throw error;
  }
  const failure = await afterRun(async () => {
    await session.close();
    return undefined;
  });
  if (!ended.ok) return ended;
  const unheld = ["reads", ...(process.platform === "linux" ? [] : ["descendants"])];
  return {
    ...ended,
    unenforced: [...unheld, ...ended.unenforced],
    ...(domains.length > 0 && { network: record.list() }),
    changes: { changes: [], readOnly: "sandbox-runtime has no copy-on-write view" },
    ...(failure && { failure }),
  };
}

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

const PROBE_MS = 20_000;
/** Not bash, which reads start files when its standard input is a socket, as Node makes it. */
const SHELL = "/bin/sh";
const NOTHING: SandboxRuntimeConfig = {
  network: { allowedDomains: [], deniedDomains: [] },
  filesystem: { denyRead: [], allowRead: [], allowWrite: [], denyWrite: [] },
};

const sessions = new WeakMap<SandboxRuntimeManager, SandboxRuntimeSession>();

type Started = { readonly ok: true } | ExecutionFailure;

/**
 * The manager's one session. Its proxy knows only one list of domains, so no two scripts run at once,
 * and it asks us about every place: the rules of the script that runs decide, as in other sandboxes.
 * Between scripts nothing of it is left running.
 */
class SandboxRuntimeSession {
  readonly queue = new RunQueue(1);
  readonly #manager: SandboxRuntimeManager;
  #probed: Promise<Started> | undefined;
  /** The configuration that a reset leaves behind is still ours. */
  #left: unknown;

  static of(manager: SandboxRuntimeManager): SandboxRuntimeSession {
    let session = sessions.get(manager);
    if (session === undefined)
      sessions.set(manager, (session = new SandboxRuntimeSession(manager)));
    return session;
  }

  private constructor(manager: SandboxRuntimeManager) {
    this.#manager = manager;
  }

  /** Runs something in it, once. */
  async probe(): Promise<Started> {
    this.#probed ??= this.queue.run(() => this.#tryOnce()).then((result) => result ?? { ok: true });
    return this.#probed;
  }

  /** From now on these rules hold, until `close`. */
  async open(
    rules: readonly DomainRule[],
    options: AdmissionOptions,
    record: NetworkRecord,
  ): Promise<Started> {
    const manager = this.#manager;
    // Another part of this program uses it; what is set here would change what holds there.
    const config = manager.getConfig();
    if (config !== undefined && config !== this.#left) {
      const message = "the sandbox runtime is in use by another part of this program";
      return executionFailure("sandbox-unusable", message);
    }
    try {
      await manager.initialize(NOTHING, async ({ host: written, port = 0 }) => {
        const host = plainHost(written.includes(":") ? `[${written}]` : written);
        if (host !== undefined && isPort(port)) {
          return (await admitTarget({ host, port }, rules, record, options)).ok;
        }
        record.refuseText(written);
        return false;
      });
      return { ok: true };
    } catch (error) {
      await this.#reset();
      return unusable("sandbox-unusable", error);
    }
  }

  /** The command that runs the given one with these files and no others. */
  async wrap(
    command: readonly string[],
    filesystem: SandboxRuntimeConfig["filesystem"],
  ): Promise<{ readonly ok: true; readonly command: readonly string[] } | ExecutionFailure> {
    try {
      const { argv } = await this.#manager.wrapWithSandboxArgv(shellCommand(command), SHELL, {
        filesystem,
      });
      return { ok: true, command: argv };
    } catch (error) {
      return unusable("sandbox-failed", error);
    }
  }

  async close(): Promise<void> {
    this.#manager.cleanupAfterCommand();
    await this.#reset();
  }

  async #reset(): Promise<void> {
    await this.#manager.reset();
    this.#left = this.#manager.getConfig();
  }

  async #tryOnce(): Promise<Started> {
    const manager = this.#manager;
    if (process.platform === "win32" || !manager.isSupportedPlatform()) {
      return executionFailure(
        "sandbox-unusable",
        `scripts cannot be confined on ${process.platform} yet`,
        'Run in WSL 2, or switch the sandbox off with execution.sandbox "none" if you trust every skill.',
      );
    }
    try {
      const { errors } = manager.checkDependencies();
      if (errors.length > 0) return missingParts(errors);
    } catch (error) {
      return unusable("sandbox-unusable", error);
    }
    const opened = await this.open([], {}, new NetworkRecord());
    if (!opened.ok) return opened;
    try {
      const wrapped = await this.wrap(["/usr/bin/true"], NOTHING.filesystem);
      return wrapped.ok ? await tryOnce(wrapped.command) : wrapped;
    } finally {
      await this.close();
    }
  }
}

function tryOnce([program = "", ...args]: readonly string[]): Promise<
  { readonly ok: true } | ExecutionFailure
> {
  return new Promise((resolve) => {
    const env = { PATH: "/usr/bin:/bin" };
    execFile(program, args, { env, timeout: PROBE_MS }, (error, _stdout, stderr) => {
      if (error === null) resolve({ ok: true });
      else resolve(unusable("sandbox-unusable", new Error(stderr.trim() || error.message)));
    });
  });
}

function missingParts(errors: readonly string[]): ExecutionFailure {
  const message = `the sandbox runtime cannot work here: ${errors.join("; ")}`;
  const hint =
    process.platform === "linux"
      ? "Install what it needs: apt-get install -y bubblewrap socat ripgrep"
      : "Install what it names.";
  return executionFailure("sandbox-unusable", message, hint);
}

function unusable(code: "sandbox-unusable" | "sandbox-failed", error: unknown): ExecutionFailure {
  const why = error instanceof Error ? error.message : "unknown reason";
  return executionFailure(code, `the sandbox runtime does not work here: ${why.slice(0, 500)}`);
}

/** Quotes words so that a shell takes each of them as it is. */
export function shellCommand(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}
