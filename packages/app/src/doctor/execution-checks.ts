import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { Configuration } from "@skillwright/core/internal";
import type { ExecutionFailure, ExecutionReceipt, Executor } from "@skillwright/runtime";
import type { Session } from "../session/session.ts";
import type { Check } from "./check.ts";

type ChooseExecutor = (options: {
  readonly sandbox: string;
}) => Promise<Executor | ExecutionFailure>;

const TIMEOUT_MS = 20_000;

/** Scripts that print the version of what runs them. */
const PROBES = [
  ["Node", "scripts/node.mjs", "console.log(process.version);"],
  ["Python", "scripts/python.py", "import platform\nprint(platform.python_version())"],
  ["bash", "scripts/bash.sh", 'echo "$BASH_VERSION"'],
] as const;

type Place = Pick<Session, "configuration" | "home" | "project" | "projectTrusted">;

/**
 * Whether scripts can run here: in the sandbox that is configured, with each interpreter. Found out
 * by running some of our own in exactly that way, since programs that are there may still not work.
 */
export async function executionChecks(
  place: Place,
  choose: ChooseExecutor = chooseRuntimeExecutor,
): Promise<readonly Check[]> {
  const { execution } = place.configuration.values;
  const { sandbox } = execution;
  const executor = await choose({ sandbox });
  if (!("ok" in executor)) {
    const environment = environmentOf(place);
    const found = await interpreterChecks(executor, execution, environment.path);
    const checks = environment.problem === undefined ? [] : [environment.problem];
    return [...found, ...checks, sandboxCheck(sandbox), await changeCheck(execution)];
  }
  // Our own scripts and the system's programs need no sandbox; skills still do not run without one.
  const plain = await choose({ sandbox: "none" });
  const found = "ok" in plain ? [] : await interpreterChecks(plain, execution);
  return [...found, sandboxCheck(sandbox, executor)];
}

async function chooseRuntimeExecutor(options: { readonly sandbox: string }) {
  const { chooseExecutor } = await import("@skillwright/runtime/internal");
  return chooseExecutor(options);
}

function sandboxCheck(sandbox: string, failure?: ExecutionFailure): Check {
  const name = sandbox === "auto" || sandbox === "bubblewrap" ? "bubblewrap" : "sandbox";
  if (failure !== undefined) {
    const { code, message, hint } = failure;
    return {
      name,
      // Without a sandbox only scripts fail. An installed one that fails is a problem to report.
      status: code === "sandbox-missing" ? "warning" : "error",
      message: `${message}; no script of a skill can run`,
      ...(hint === undefined ? undefined : { hint }),
    };
  }
  if (sandbox !== "none") return { name, status: "ok", message: "a program ran in it" };
  const message = "switched off: scripts can read, write and reach whatever you can";
  return {
    name,
    status: "warning",
    message,
    hint: "skillwright config set execution.sandbox auto",
  };
}

/** What becomes of the files that scripts write here. */
async function changeCheck({
  sandbox,
  freshDirectory,
}: Configuration["execution"]): Promise<Check> {
  const name = "changes";
  if (sandbox === "none") {
    const message = "scripts change your files at once; nothing is held, and nothing can be undone";
    return { name, status: "warning", message };
  }
  if (freshDirectory) {
    const message = "scripts write to an empty folder of their own, which goes when they end";
    return { name, status: "ok", message };
  }
  const { probeView } = await import("@skillwright/runtime/internal");
  const hasViews = sandbox !== "sandbox-runtime" && process.platform === "linux";
  const probe = hasViews
    ? await probeView()
    : { ok: false as const, reason: "sandbox-runtime has no copy-on-write view" };
  if (probe.ok) {
    const message = "scripts change a copy of the working directory; you decide what is kept";
    return { name, status: "ok", message };
  }
  const message = `scripts find the working directory read-only: ${probe.reason}`;
  const hint =
    "they can still leave files in $SKILLWRIGHT_OUTPUT; a view needs bubblewrap and Linux 6.6 with user namespaces and overlayfs";
  return { name, status: "warning", message, hint };
}

/**
 * The Python environment to look at. A relative path leads into whatever project is open, and only
 * to look at it runs a program in it.
 */
function environmentOf({ configuration, home, project, projectTrusted }: Place): {
  readonly path?: string;
  readonly problem?: Check;
} {
  const { virtualEnvironment: path } = configuration.values.execution;
  if (path === undefined) return {};
  if (path === "~" || path.startsWith("~/")) return { path: join(home, path.slice(1)) };
  if (isAbsolute(path) || projectTrusted) return { path: resolve(project, path) };
  const message = `${path} was not looked at, because the project is not trusted`;
  const hint = "skillwright trust";
  return { problem: { name: "virtual environment", status: "warning", message, hint } };
}

async function interpreterChecks(
  executor: Executor,
  { memoryBytes, cpuSeconds, processes }: Configuration["execution"],
  virtualEnvironment?: string,
): Promise<readonly Check[]> {
  const path = await mkdtemp(join(tmpdir(), "skillwright-doctor-"));
  try {
    await mkdir(join(path, "scripts"));
    for (const [, script, text] of PROBES) await writeFile(join(path, script), `${text}\n`);
    const run = (script: string) =>
      executor.run({
        skill: { name: "doctor", path },
        script,
        args: [],
        cwd: "fresh",
        limits: { memoryBytes, cpuSeconds, processes, timeoutMs: TIMEOUT_MS },
        ...(virtualEnvironment === undefined ? undefined : { virtualEnvironment }),
      });
    return await Promise.all(
      PROBES.map(async ([name, script]) => interpreterCheck(name, await run(script))),
    );
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

function interpreterCheck(name: string, receipt: ExecutionReceipt): Check {
  const { ok, stdout, command, failure, exitCode } = receipt;
  if (ok) return { name, status: "ok", message: `${stdout.trim()} (${command[0] ?? ""})` };
  const message = failure?.message ?? `a script ended with ${exitCode}`;
  const hint = failure?.hint;
  return { name, status: "warning", message, ...(hint === undefined ? undefined : { hint }) };
}
