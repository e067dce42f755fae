import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { onTestFinished } from "vitest";
import type { ExecutionReceipt, ExecutionRequest } from "../../packages/runtime/src/index.ts";
import type {
  CommandExecution,
  ScriptExecution,
} from "../../packages/runtime/src/internal/index.ts";
import { SOURCES } from "../../scripts/packages.mjs";

/** Who runs scripts. */
export interface Runner {
  readonly user: "this user" | "nobody";
}

/** Root meets other kernel rules than everybody else, so both have to hold. */
export const RUNNERS: readonly Runner[] = [
  { user: "this user" },
  ...(process.getuid?.() === 0 ? [{ user: "nobody" } as const] : []),
];

export const SECRET = "TOP-SECRET-VALUE";
const NOBODY = 65534;

/** The executors as one file that a child process of any user can start. */
export async function bundleExecution(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "skillwright-execution-"));
  writeFileSync(
    join(folder, "entry.mjs"),
    `import { readFileSync } from "node:fs";
    import { createBubblewrapExecutor, createProcessExecutor } from "@skillwright/runtime/internal";
    const { sandbox, options, requests, abortAfter } = JSON.parse(readFileSync(0, "utf8"));
    const create = sandbox === "process" ? createProcessExecutor : createBubblewrapExecutor;
    const executor = create(options);
    const signal = abortAfter ? AbortSignal.timeout(abortAfter) : undefined;
    const context = signal ? { signal } : {};
    const receipts = [];
    for (const request of requests) receipts.push(await executor.run(request, context));
    process.stdout.write(JSON.stringify(receipts));`,
  );
  const bundle = await rolldown({
    input: join(folder, "entry.mjs"),
    platform: "node",
    logLevel: "silent",
    resolve: { alias: SOURCES },
    external: ["sucrase"],
  });
  await bundle.write({ dir: join(folder, "dist"), format: "esm", entryFileNames: "host.mjs" });
  await bundle.close();
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  chmodSync(folder, 0o755);
  return join(folder, "dist/host.mjs");
}

export interface HostOptions {
  readonly sandbox?: "bubblewrap" | "process";
  readonly options?: object;
  readonly abortAfter?: number;
  /** A command that runs the process. */
  readonly within?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A skill and a working directory of a user, with secrets around, and a process that runs scripts. */
export class ExecutionHost {
  readonly root = mkdtempSync(join(tmpdir(), "skillwright-test-"));
  readonly skill = join(this.root, "skill");
  readonly work = join(this.root, "work");
  readonly home = join(this.root, "home");
  readonly #bundle: string;
  readonly #runner: Runner;

  constructor(bundle: string, runner: Runner) {
    this.#bundle = bundle;
    this.#runner = runner;
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }));
    this.write({
      "skill/SKILL.md": "---\nname: skill\ndescription: Test.\n---\n",
      "work/data.txt": "data\n",
      "outside/secret.txt": SECRET,
      "home/.ssh/id_rsa": SECRET,
      "home/.aws/credentials": SECRET,
      "work/.env": SECRET,
    });
  }

  /** Below the root, owned by the user. */
  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), text);
    }
    this.own();
  }

  own(): void {
    if (this.#runner.user !== "nobody") return;
    spawnSync("chown", ["-R", "-h", `${NOBODY}:${NOBODY}`, this.root]);
    chownSync(this.root, NOBODY, NOBODY);
  }

  /** Starts the process that runs scripts and commands, one after the other; its environment holds a secret. */
  start(asked: readonly Partial<ExecutionRequest>[], host: HostOptions = {}) {
    const skill = { name: "skill", path: this.skill };
    const requests = asked.map((request) => ({ skill, args: [], cwd: this.work, ...request }));
    const command = [process.execPath, this.#bundle];
    const identity = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
    const full =
      this.#runner.user === "nobody" ? ["/usr/bin/setpriv", ...identity, ...command] : command;
    const [program = "", ...args] = [...(host.within ?? []), ...full];
    const child = spawn(program, args, {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin", HOME: this.home, SECRET_API_KEY: SECRET, ...host.env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    child.stdin.end(JSON.stringify({ options: {}, ...host, requests }));
    return child;
  }

  async runAll(
    asked: readonly Partial<ExecutionRequest>[],
    host: HostOptions = {},
  ): Promise<readonly ExecutionReceipt[]> {
    const child = this.start(asked, host);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const code = await new Promise((resolve) => child.once("close", resolve));
    if (code !== 0) throw new Error(`the host ended with ${String(code)}: ${stderr}`);
    return JSON.parse(stdout) as ExecutionReceipt[];
  }

  async run(
    script: string,
    more: Partial<ScriptExecution> = {},
    host: HostOptions = {},
  ): Promise<ExecutionReceipt> {
    const [receipt] = await this.runAll([{ script, ...more }], host);
    return receipt!;
  }

  /** Runs the text of a Python script. */
  python(text: string, more: Partial<ScriptExecution> = {}, host: HostOptions = {}) {
    this.write({ "skill/scripts/attack.py": text });
    return this.run("attack.py", more, host);
  }

  bash(text: string, more: Partial<ScriptExecution> = {}, host: HostOptions = {}) {
    this.write({ "skill/scripts/attack.sh": text });
    return this.run("attack.sh", more, host);
  }

  /** Runs the text of a Python program that belongs to no skill. */
  async command(text: string, more: Partial<CommandExecution> = {}): Promise<ExecutionReceipt> {
    const [receipt] = await this.runAll([{ argv: ["python3", "-c", text], ...more }]);
    return receipt!;
  }
}
