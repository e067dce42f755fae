import { execFile } from "node:child_process";
import { executionFailure, type ExecutionFailure } from "../executor.ts";
import {
  type AdmissionOptions,
  admitTarget,
  type DomainRule,
  isPort,
  NetworkRecord,
  plainHost,
} from "../network/domain-rule.ts";
import { RunQueue } from "../run-queue.ts";
import type { SandboxRuntimeConfig, SandboxRuntimeManager } from "./sandbox-runtime-executor.ts";

/** Words for a shell that reads none of them as anything but itself. */
export function shellCommand(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
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
export class SandboxRuntimeSession {
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
