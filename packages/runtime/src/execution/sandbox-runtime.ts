import { errorCode } from "@skillwright/core/internal";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { type ExecutorOptions } from "./executor.ts";
import { executionFailure, type ExecutionFailure } from "./execution-failure.ts";
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

type Probe = { readonly ok: true } | ExecutionFailure;

const PACKAGE: string = "@anthropic-ai/sandbox-runtime";
const INSTALL = `Install it: npm install ${PACKAGE}`;
const METHODS = [
  ["isSupportedPlatform", "checkDependencies", "getConfig"],
  ["initialize", "wrapWithSandboxArgv", "cleanupAfterCommand", "reset"],
].flat();
const PROBE_MS = 20_000;
/** Not bash, which reads start files when its standard input is a socket, as Node makes it. */
const SHELL = "/bin/sh";
const NOTHING: SandboxRuntimeConfig = {
  network: { allowedDomains: [], deniedDomains: [] },
  filesystem: { denyRead: [], allowRead: [], allowWrite: [], denyWrite: [] },
};
/** Where people keep what is theirs. All else can be read, as far as this user may. */
const HOMES = ["/home", "/Users", "/root"];

export function sandboxRuntime({
  loadSandboxRuntime,
  admission = {},
}: SandboxRuntimeOptions): Sandbox {
  const withSession = async <Result>(
    work: (session: SandboxRuntimeSession) => Promise<Result>,
  ): Promise<Result | ExecutionFailure> => {
    const manager = await loadManager(loadSandboxRuntime);
    if ("code" in manager) return manager;
    const session = sessions.get(manager) ?? new SandboxRuntimeSession(manager);
    sessions.set(manager, session);
    return work(session);
  };
  return {
    name: "sandbox-runtime",
    probe: () => withSession((session) => session.probe()),
    places: processPlaces,
    run: (run) =>
      withSession(async (session) => {
        const work = () => runInSession(session, run, admission);
        const ended = await session.queue.run(work, run.context.signal);
        return ended ?? neverStarted(run.name);
      }),
  };
}

/** Holds one run to what it may read, write and reach. */
async function runInSession(
  session: SandboxRuntimeSession,
  run: Run,
  admission: AdmissionOptions,
): Promise<RunEnd | ExecutionFailure> {
  const { request, root, domains, directory, binds, context } = run;
  // There is no view to look at what was changed, so nothing of the user's can be.
  const output = context.changes?.output;
  const record = new NetworkRecord();
  const opened = await session.open(domains, admission, record);
  if (!opened.ok) return opened;
  let ended: RunEnd | ExecutionFailure;
  try {
    ended = await runProcess(run, (command, { own, cwd }) => {
      const allowWrite = [...own, ...(output === undefined ? [] : [output])];
      const homes = [homedir(), ...HOMES].filter((path) => existsSync(path));
      return session.wrap(command, {
        denyRead: [...new Set([...homes, ...(request.hidden ?? [])])],
        allowRead: [...new Set([directory, ...binds, root ?? cwd, ...allowWrite])],
        allowWrite,
        denyWrite: [],
      });
    });
  } catch (error) {
    await session.close();
    throw error;
  }
  const failure = await afterRun(() => session.close());
  if (!ended.ok) return ended;
  const unheld = [
    "reads",
    ...(run.domains.length === 0 ? [] : ["networkBytes"]),
    ...(process.platform === "linux" ? [] : ["descendants"]),
  ];
  return {
    ...ended,
    unenforced: [...unheld, ...ended.unenforced],
    network: domains.length > 0 ? record.list() : undefined,
    changes: { changes: [], readOnly: "sandbox-runtime has no copy-on-write view" },
    failure,
  };
}

/** Loads the package, which is installed only where it is wanted. */
async function loadManager(
  load: LoadSandboxRuntime = () => import(PACKAGE),
): Promise<SandboxRuntimeManager | ExecutionFailure> {
  try {
    const { SandboxManager: manager } = Object(await load()) as { SandboxManager?: unknown };
    const isKnown = METHODS.every((name) => typeof Object(manager)[name] === "function");
    if (isKnown) return manager as SandboxRuntimeManager;
    const message = `${PACKAGE} is installed in a version that is not known here`;
    return executionFailure("sandbox-unusable", message, `${INSTALL}@0.0.83`);
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") {
      const message = `${PACKAGE} cannot be loaded: ${reasonOf(error)}`;
      return executionFailure("sandbox-unusable", message);
    }
    const message = `${PACKAGE}, which scripts are confined with, is not installed`;
    return executionFailure("sandbox-missing", message, INSTALL);
  }
}

const sessions = new WeakMap<SandboxRuntimeManager, SandboxRuntimeSession>();

/**
 * The manager's one session. Its proxy knows only one list of domains, so no two scripts run at once,
 * and it asks us about every place: the rules of the script that runs decide, as in other sandboxes.
 * Between scripts nothing of it is left running.
 */
class SandboxRuntimeSession {
  readonly queue = new RunQueue(1);
  readonly #manager: SandboxRuntimeManager;
  #probed: Promise<Probe> | undefined;
  /** The configuration that a reset leaves behind is still ours. */
  #left: unknown;

  constructor(manager: SandboxRuntimeManager) {
    this.#manager = manager;
  }

  /** Runs something in it, once. */
  async probe(): Promise<Probe> {
    this.#probed ??= this.queue.run(() => this.#tryOnce()).then((result) => result ?? { ok: true });
    return this.#probed;
  }

  /** From now on these rules hold, until `close`. */
  async open(
    rules: readonly DomainRule[],
    options: AdmissionOptions,
    record: NetworkRecord,
  ): Promise<Probe> {
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
  ): Promise<readonly string[] | ExecutionFailure> {
    try {
      const config = { filesystem };
      const line = shellCommand(command);
      return (await this.#manager.wrapWithSandboxArgv(line, SHELL, config)).argv;
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

  async #tryOnce(): Promise<Probe> {
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
      if (errors.length > 0) {
        const message = `the sandbox runtime cannot work here: ${errors.join("; ")}`;
        const isLinux = process.platform === "linux";
        const parts = isLinux ? "needs: apt-get install -y bubblewrap socat ripgrep" : "names.";
        return executionFailure("sandbox-unusable", message, `Install what it ${parts}`);
      }
    } catch (error) {
      return unusable("sandbox-unusable", error);
    }
    const opened = await this.open([], {}, new NetworkRecord());
    if (!opened.ok) return opened;
    try {
      const wrapped = await this.wrap(["/usr/bin/true"], NOTHING.filesystem);
      return "code" in wrapped ? wrapped : await tryCommand(wrapped);
    } finally {
      await this.close();
    }
  }
}

function tryCommand([program = "", ...args]: readonly string[]): Promise<Probe> {
  return new Promise((resolve) => {
    const env = { PATH: "/usr/bin:/bin" };
    execFile(program, args, { env, timeout: PROBE_MS }, (error, _stdout, stderr) => {
      if (error === null) resolve({ ok: true });
      else resolve(unusable("sandbox-unusable", new Error(stderr.trim() || error.message)));
    });
  });
}

function unusable(code: "sandbox-unusable" | "sandbox-failed", error: unknown): ExecutionFailure {
  const why = reasonOf(error).slice(0, 500);
  return executionFailure(code, `the sandbox runtime does not work here: ${why}`);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown reason";
}

/** Quotes words so that a shell takes each of them as it is. */
export function shellCommand(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}
