import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { onTestFinished } from "vitest";
import { SOURCES } from "../../scripts/packages.mjs";
import type { Runner } from "../attack/execution-host.ts";
import type { applyChanges, Change } from "../../packages/runtime/src/changes/index.ts";

const CHANGES = fileURLToPath(
  new URL("../../packages/runtime/src/changes/index.ts", import.meta.url),
);
const NOBODY = 65534;

const ENTRY = `
  import { spawnSync } from "node:child_process";
  import { mkdirSync, readFileSync, writeSync } from "node:fs";
  import { join } from "node:path";
  import * as changes from ${JSON.stringify(CHANGES)};
  const { applyChanges, discardChanges, HeldChanges, openView, recoverChanges, refuseChanges, restoreChanges } = changes;
  const { folder, steps, masked, limits, keep, kill } = JSON.parse(process.argv[2]);
  const root = join(folder, "work");
  const held = new HeldChanges(join(folder, "held"));
  let count = 0;
  // A step that a kill may come before; the test counts them first.
  const step = (name) => { if (count++ === kill) process.kill(process.pid, "SIGKILL"); };
  let view;
  let runs = 0;
  const open = async () => {
    const run = join(folder, "run" + ++runs + "-" + process.pid);
    mkdirSync(run);
    view = await openView({ root, folder: run, masked, limits });
    if (!view.ok) { console.log(JSON.stringify({ reason: view.reason })); process.exit(0); }
    await restoreChanges(held, view.merged);
  };
  const result = { scripts: [], changes: [] };
  for (const [kind, text] of steps) {
    step("before " + kind);
    if (kind === "script") {
      if (view === undefined) await open();
      const links = ["bin", "sbin", "lib", "lib64"].flatMap((name) => ["--symlink", "usr/" + name, "/" + name]);
      const ids = ["--uid", String(process.getuid()), "--gid", String(process.getgid())];
      const args = ["bwrap", "--unshare-user", "--unshare-pid", "--die-with-parent", ...ids, "--cap-drop", "ALL",
        "--ro-bind", "/usr", "/usr", ...links, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--bind", view.mounted, root,
        "--chdir", root, "--", "bash", "-c", text];
      const { stdout, stderr, status } = spawnSync(view.prefix[0], [...view.prefix.slice(1), ...args], { encoding: "utf8" });
      result.scripts.push({ stdout, stderr, status });
      step("ran");
      const started = performance.now();
      const collected = await view.collect(held.read());
      result.collectMs = performance.now() - started;
      result.changes = refuseChanges(collected, [], keep);
      result.refuseMs = performance.now() - started - result.collectMs;
      step("collected");
      await held.save({ root, changes: result.changes }, view.merged);
      step("saved");
    } else if (kind === "host") {
      const { stderr, status } = spawnSync("bash", ["-c", text], { cwd: root, encoding: "utf8" });
      if (status !== 0) throw new Error(stderr);
    } else if (kind === "reopen") {
      await view?.close();
      await open();
    } else if (kind === "apply") {
      const started = performance.now();
      const only = text === "" ? undefined : ({ path }) => path === text;
      result.applied = await applyChanges(held.folder, { onStep: step, ...(only && { isSelected: only }) });
      result.applyMs = performance.now() - started;
    } else if (kind === "undo") {
      result.undone = await applyChanges(result.applied.undo, { onStep: step });
    } else if (kind === "recover") await recoverChanges(text === "" ? held.folder : join(folder, text));
    else if (kind === "discard") await discardChanges(held.folder);
  }
  await view?.close();
  step("closed");
  writeSync(1, JSON.stringify({ ...result, steps: count }) + "\\n");
`;

/** What opens views, collects and applies, as one file that a process of any user can start. */
export async function bundleViews(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "skillwright-views-"));
  writeFileSync(join(folder, "entry.mjs"), ENTRY);
  const bundle = await rolldown({
    input: join(folder, "entry.mjs"),
    platform: "node",
    logLevel: "silent",
    resolve: { alias: SOURCES },
  });
  await bundle.write({ dir: join(folder, "dist"), format: "esm", entryFileNames: "views.mjs" });
  await bundle.close();
  spawnSync("chmod", ["-R", "a+rX", folder]);
  return join(folder, "dist/views.mjs");
}

/** `script` runs in the view, `host` beside it in the real folder; the others name what is done. */
export type ViewStep = readonly [
  kind: "script" | "host" | "apply" | "undo" | "recover" | "reopen" | "discard",
  text?: string,
];

export interface ViewResult {
  readonly scripts: readonly {
    readonly stdout: string;
    readonly stderr: string;
    readonly status: number | null;
  }[];
  readonly changes: readonly Change[];
  readonly applied?: Awaited<ReturnType<typeof applyChanges>>;
  readonly undone?: Awaited<ReturnType<typeof applyChanges>>;
  readonly reason?: string;
  readonly steps: number;
  readonly collectMs: number;
  readonly refuseMs: number;
  readonly applyMs: number;
}

export interface ViewHostOptions {
  readonly masked?: readonly string[];
  readonly limits?: { readonly bytes?: number; readonly entries?: number };
  readonly keep?: { readonly files: number; readonly bytes: number };
  /** The step before which the process kills itself. */
  readonly kill?: number;
}

/** A working directory, and processes of a user that run scripts in views of it. */
export class ViewHost {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "skillwright-view-")));
  readonly work = join(this.folder, "work");
  readonly held = join(this.folder, "held");
  readonly #bundle: string;
  readonly #runner: Runner;

  constructor(bundle: string, runner: Runner, files: Readonly<Record<string, string>> = {}) {
    this.#bundle = bundle;
    this.#runner = runner;
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    mkdirSync(this.work);
    this.write(files);
  }

  /** Below the working directory, owned by the user. */
  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.work, path)), { recursive: true });
      writeFileSync(join(this.work, path), text);
    }
    if (this.#runner.user === "nobody") {
      spawnSync("chown", ["-R", "-h", `${NOBODY}:${NOBODY}`, this.folder]);
    }
  }

  start(steps: readonly ViewStep[], options: ViewHostOptions = {}) {
    const input = { folder: this.folder, steps: steps.map(([kind, text = ""]) => [kind, text]) };
    const command = [process.execPath, this.#bundle, JSON.stringify({ ...input, ...options })];
    const identity = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
    const full =
      this.#runner.user === "nobody" ? ["/usr/bin/setpriv", ...identity, ...command] : command;
    const [program = "", ...args] = full;
    return spawn(program, args, {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin", HOME: this.folder },
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** Undefined when the process was killed. */
  async tryRun(
    steps: readonly ViewStep[],
    options: ViewHostOptions = {},
  ): Promise<ViewResult | undefined> {
    const child = this.start(steps, options);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      child.once("close", (...end) => resolve(end)),
    );
    if (signal === "SIGKILL") return undefined;
    if (code !== 0) throw new Error(`the host ended with ${String(code)}: ${stderr}`);
    return JSON.parse(stdout) as ViewResult;
  }

  async run(steps: readonly ViewStep[], options: ViewHostOptions = {}): Promise<ViewResult> {
    const result = await this.tryRun(steps, options);
    if (result === undefined) throw new Error("the host was killed");
    return result;
  }

  /** Runs one script and applies what it did. */
  script(text: string, options: ViewHostOptions = {}): Promise<ViewResult> {
    return this.run([["script", text], ["apply"]], options);
  }
}

/** Paths that are not kept, with the reasons. */
export function refusedIn({ changes }: ViewResult): Readonly<Record<string, string>> {
  return Object.fromEntries(
    changes.flatMap(({ path, refused }) => (refused === undefined ? [] : [[path, refused]])),
  );
}

/** `kind path` of what may be kept. */
export function keptIn({ changes }: ViewResult): readonly string[] {
  return changes
    .filter(({ refused }) => refused === undefined)
    .map(({ kind, path }) => `${kind} ${path}`)
    .toSorted();
}
