import type { Diagnostic, Skills } from "@skillwright/core";
import { type Configuration, registryRules } from "@skillwright/core/internal";
import type { ExecutionFailure, ExecutionReceipt, Executor } from "@skillwright/runtime";
import { constants } from "node:fs";
import { access, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { AppHost } from "../host.ts";
import { openSessionRegistry } from "../session/registry.ts";
import { openSession, type Session, type SessionOptions } from "../session/session.ts";

/** What the doctor found out about one thing. */
export interface Check {
  readonly name: string;
  readonly status: "ok" | "warning" | "error";
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
}

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

/** Whether every rule can be read, domains and paths in it too. */
export async function policyCheck(values: Configuration): Promise<Check> {
  const { policySettings } = await import("@skillwright/runtime");
  const { ruleProblems } = await import("@skillwright/runtime/internal");
  const { allow, ask, deny, allowedTools } = policySettings(values);
  const problems = ruleProblems({ allow, ask, deny });
  if (problems.length > 0) {
    const hint = "fix these rules in the configuration; docs/permissions.md shows the syntax";
    return { name: "policy", status: "error", message: problems.join("; "), hint };
  }
  const counts = `rules: ${allow.length} allow, ${ask.length} ask, ${deny.length} deny`;
  return { name: "policy", status: "ok", message: `${counts}; allowed-tools ${allowedTools}` };
}

const CODES: ReadonlySet<string> = new Set(registryRules.map(({ code }) => code));

/** What is wrong with roots, or between skills: `lint` looks at single skills and does not see it. */
export function scanProblems(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ code, severity }) => CODES.has(code) && severity !== "info");
}

/** Looks at everything a skill may need on this machine. What is damaged is a finding, not the end. */
export async function doctorChecks(
  options: SessionOptions,
  host: AppHost,
): Promise<readonly Check[]> {
  const damages: Check[] = [];
  const session = await openSession(options, host, (part, { message }) => {
    const hint = "fix or remove the file; the other checks run without it";
    damages.push({ name: part, status: "error", message, hint });
  });
  const skills = await openSessionRegistry(session, options, host);
  const settled = [configurationCheck(session), trustCheck(session)];
  return [
    ...(await executionChecks(session)),
    ...damages,
    ...managedCheck(session),
    ...settled.filter(({ name }) => damages.every((damage) => damage.name !== name)),
    await policyCheck(session.configuration.values),
    await folder("cache", session.cacheDirectory),
    await folder("state", session.stateDirectory),
    ...(await rootChecks(skills)),
    skillsCheck(skills),
    ...serversCheck(session),
  ];
}

function managedCheck({ configuration: { files } }: Session): Check[] {
  return files
    .filter(({ layer }) => layer === "managed")
    .map(({ file }) => {
      const message = `${file}: only root can change it; everyone else's settings only narrow it`;
      return { name: "managed", status: "ok", message };
    });
}

function trustCheck({ project, projectTrusted }: Session): Check {
  return {
    name: "trust",
    status: projectTrusted ? "ok" : "warning",
    message: `${project} is ${projectTrusted ? "trusted" : "not trusted"}`,
    ...(projectTrusted ? undefined : { hint: "skillwright trust" }),
  };
}

function skillsCheck(skills: Skills): Check {
  const errors = skills.diagnostics().filter(({ severity }) => severity === "error").length;
  return {
    name: "skills",
    status: errors === 0 ? "ok" : "warning",
    message: `${skills.all.length} skills, ${skills.shadowed.length} shadowed, ${errors} errors`,
    ...(errors === 0 ? undefined : { hint: "skillwright list shows where they are" }),
  };
}

/** They are not started for a look at this machine. */
function serversCheck({ configuration }: Session): Check[] {
  const labels = Object.keys(configuration.values.mcpServers);
  if (labels.length === 0) return [];
  const hint = "skillwright mcp check asks them";
  return [{ name: "servers", status: "ok", message: `${labels.join(", ")} (not asked)`, hint }];
}

function configurationCheck({ configuration: { files, problems, notes } }: Session): Check {
  const name = "configuration";
  if (problems.length > 0) {
    return {
      name,
      status: "error",
      message: `${problems.length} problems: ${problems.map(({ path }) => path).join(", ")}`,
      hint: "skillwright config",
    };
  }
  const unknown = notes.filter(({ isWarning }) => isWarning === true);
  if (unknown.length > 0) {
    const message = unknown.map((note) => note.message).join("; ");
    return { name, status: "warning", message, hint: "skillwright config" };
  }
  const read = files.map(({ file }) => file).join(", ");
  return { name, status: "ok", message: read === "" ? "defaults" : read };
}

/** A folder that is there must be writable; one that is not must be possible to make. */
async function folder(name: string, path: string): Promise<Check> {
  for (let existing = path; ; existing = dirname(existing)) {
    const stats = await stat(existing).catch(() => undefined);
    if (stats === undefined && existing !== dirname(existing)) continue;
    const writable = await access(existing, constants.W_OK).then(
      () => true,
      () => false,
    );
    return writable
      ? { name, status: "ok", message: path }
      : {
          name,
          status: "warning",
          message: `${path} cannot be written`,
          hint: `chown or chmod ${existing}`,
        };
  }
}

/** Each root, and what kept the search from finding all that may be below it. */
async function rootChecks(skills: Skills): Promise<Check[]> {
  const problems = scanProblems(skills.diagnostics());
  const roots = await Promise.all(skills.roots.map((root) => rootCheck(root, skills.all)));
  const isReported = ({ root, check }: (typeof roots)[number]) =>
    check.status === "ok" && problems.some(({ file }) => file === root);
  return [
    ...roots.filter((one) => !isReported(one)).map(({ check }) => check),
    ...problems.map(({ severity, file, message, code }): Check => ({
      name: "root",
      status: severity === "error" ? "error" : "warning",
      message: `${file}: ${message}`,
      hint: `docs/lint-rules.md says more about ${code}`,
    })),
  ];
}

async function rootCheck(root: string, all: readonly { readonly root: string }[]) {
  const check = (status: Check["status"], message: string, hint?: string) => ({
    root,
    check: { name: "root", status, message, ...(hint === undefined ? undefined : { hint }) },
  });
  const stats = await stat(root).catch(() => undefined);
  if (stats === undefined) return check("ok", `${root} (not there)`);
  const readable = await access(root, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!readable) return check("error", `${root} cannot be read`, `chmod +rx ${root}`);
  const count = all.filter((skill) => skill.root === root).length;
  return check("ok", `${root} (${count} skills)`);
}
