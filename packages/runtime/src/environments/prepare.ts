import type { Failure } from "@skillwright/core";
import { readIfPresent, writeAtomic } from "@skillwright/core/internal";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { EnvironmentNeed, NodeNeed, PythonNeed } from "./needs.ts";
import { findTool, runTool, type ToolEnd } from "./run-tool.ts";
import type { Environment, EnvironmentStore, LockedLibrary } from "./store.ts";

/** What would be fetched, before anything is. */
export interface EnvironmentPlan {
  readonly need: EnvironmentNeed;
  /** Every library with its exact version, those that others need included. */
  readonly libraries: readonly LockedLibrary[];
  /** Hosts or indexes that it is fetched from. */
  readonly origins: readonly string[];
  /** For pip or uv: versions with hashes. npm has its lockfile. */
  readonly lock: string;
  /** `uv`, `pip` or `npm`. */
  readonly tool: string;
}

export type PrepareFailure = Failure<
  "tool-missing" | "resolve-failed" | "hash-mismatch" | "fetch-failed" | "lock-refused" | "refused"
>;

export interface PrepareOptions {
  readonly store: EnvironmentStore;
  /** Of the skill that asks. */
  readonly skill: string;
  /** The person's: it says where pip, uv and npm find their index. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Shown what is fetched from where; nothing is fetched without a yes. */
  readonly approve: (plan: EnvironmentPlan) => Promise<boolean>;
  /** Looks versions up again instead of using those of the last time. */
  readonly upgrade?: boolean;
  readonly signal?: AbortSignal;
}

/** Prepares the environment of a need, or gives the one that is there. Runs no code of the libraries. */
export async function prepareEnvironment(
  need: EnvironmentNeed,
  options: PrepareOptions,
): Promise<{ readonly ok: true; readonly environment: Environment } | PrepareFailure> {
  const { store, skill, upgrade = false, signal } = options;
  const done = (prepared: Environment) => {
    const environment = store.setSkills(prepared, [...prepared.skills, skill]);
    return { ok: true, environment } as const;
  };
  const ready = store.find(need.id);
  if (ready !== undefined && !upgrade) return done(ready);
  const work = mkdtempSync(join(tmpdir(), "skillwright-env-"));
  try {
    const tools = need.kind === "python" ? pythonTools(work, options) : nodeTools(options);
    if (!("install" in tools)) return tools;
    const plan = await planOf(need, tools, options);
    if ("code" in plan) return plan;
    if (!(await options.approve(plan))) {
      return failure("refused", "Nothing was fetched: the approval was refused.");
    }
    if (upgrade) store.remove(need.id);
    const environment = await store.prepare(
      need.id,
      async (folder) => {
        const problem = await tools.install(plan, folder);
        if (problem !== undefined) throw new FetchError(problem);
        const preparedAt = new Date().toISOString();
        return { kind: need.kind, skills: [skill], libraries: plan.libraries, preparedAt };
      },
      signal,
    );
    if (need.kind === "python") writeAtomic(store.lockFileOf(need.id), JSON.stringify(plan));
    return done(environment);
  } catch (error) {
    if (error instanceof FetchError) return error.failure;
    throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

class FetchError extends Error {
  readonly failure: PrepareFailure;

  constructor(given: PrepareFailure) {
    super(given.message);
    this.failure = given;
  }
}

function failure(code: PrepareFailure["code"], message: string, hint?: string): PrepareFailure {
  return { ok: false, code, message, ...(hint !== undefined && { hint }) };
}

interface Tools {
  resolve(need: EnvironmentNeed): Promise<EnvironmentPlan | PrepareFailure>;
  install(plan: EnvironmentPlan, folder: string): Promise<PrepareFailure | undefined>;
}

/** Versions stay as they were locked: a package that changed on the index is refused, not taken. */
async function planOf(
  need: EnvironmentNeed,
  tools: Tools,
  { store, upgrade = false }: PrepareOptions,
): Promise<EnvironmentPlan | PrepareFailure> {
  const locked = upgrade ? undefined : readIfPresent(store.lockFileOf(need.id))?.toString("utf8");
  if (locked === undefined) return tools.resolve(need);
  return { ...(JSON.parse(locked) as EnvironmentPlan), need };
}

const HASHES = /DO NOT MATCH THE HASHES|Hash mismatch|EINTEGRITY/i;

function toolFailure(
  code: "resolve-failed" | "fetch-failed",
  what: string,
  { text }: ToolEnd,
): PrepareFailure {
  if (HASHES.test(text)) {
    return failure(
      "hash-mismatch",
      `${what}: a package is not the one that was locked. Nothing was installed.`,
      "The index serves other bytes under the same version. Find out why before you lock it again with --upgrade.",
    );
  }
  const lines = text.split("\n").filter((line) => /^\s*(?:error|npm error|ERROR|×|╰)/i.test(line));
  const why = (lines.length > 0 ? lines : text.trim().split("\n").slice(-3))
    .slice(0, 6)
    .map((line) => line.trim().slice(0, 300))
    .join("\n");
  const isSource = /no matching distribution|only-binary|no-build|no wheels|building source/i.test(
    text,
  );
  return failure(
    code,
    `${what}:\n${why}`,
    isSource
      ? "Only wheels are installed, because building a source package would run its code. Choose a version that has a wheel for this machine."
      : "Check the network and the index that pip, uv or npm is configured with.",
  );
}

/** uv where it is installed, else the pip of Python. */
function pythonTools(work: string, { env, signal }: PrepareOptions): Tools | PrepareFailure {
  const python = findTool("python3", env);
  if (python === undefined) {
    return failure(
      "tool-missing",
      "python3 is not installed.",
      "Install it, with python3-venv and python3-pip.",
    );
  }
  const uv = findTool("uv", env);
  const run = (program: string, args: readonly string[]) =>
    runTool(program, args, { cwd: work, env, signal });
  const requirements = join(work, "requirements.in");
  const locked = join(work, "requirements.txt");
  const base = uv === undefined ? undefined : realpathSync(python);
  return {
    async resolve(need) {
      const { requirements: lines, declaredIn } = need as PythonNeed;
      const unmet = await unmetPython(need as PythonNeed, (args) => run(python, args));
      if (unmet !== undefined) return unmet;
      writeFileSync(requirements, `${lines.join("\n")}\n`);
      const what = `The libraries of ${declaredIn} cannot be looked up`;
      if (uv !== undefined && base !== undefined) {
        const args = [
          "pip",
          "compile",
          "--quiet",
          "--no-config",
          "--generate-hashes",
          "--no-build",
        ];
        const more = ["--no-annotate", "--no-header", "--emit-index-url", "--python", base];
        const end = await run(uv, [...args, ...more, "--output-file", locked, requirements]);
        return end.ok ? planOfLock(need, locked) : toolFailure("resolve-failed", what, end);
      }
      const report = join(work, "report.json");
      const pip = await pipOf(python, work, run);
      if ("code" in pip) return pip;
      const args = ["--dry-run", "--ignore-installed", "--report", report, "-r", requirements];
      const end = await run(pip.program, [...pip.args, ...PIP_INSTALL, ...args]);
      return end.ok ? planOfReport(need, report) : toolFailure("resolve-failed", what, end);
    },
    async install({ lock, need }, folder) {
      writeFileSync(locked, lock);
      const what = `The libraries of ${need.declaredIn} cannot be installed`;
      const made = await run(python, ["-I", "-m", "venv", "--without-pip", folder]);
      if (!made.ok) return toolFailure("fetch-failed", what, made);
      const program = join(folder, "bin/python3");
      if (uv !== undefined) {
        const args = ["pip", "install", "--quiet", "--no-config", "--require-hashes", "--no-build"];
        const end = await run(uv, [...args, "--no-deps", "--python", program, "-r", locked]);
        return end.ok ? undefined : toolFailure("fetch-failed", what, end);
      }
      const pip = await pipOf(python, work, run);
      if ("code" in pip) return pip;
      const args = ["--require-hashes", "--no-deps", "-r", locked];
      const end = await run(pip.program, [
        ...pip.args,
        "--python",
        program,
        ...PIP_INSTALL,
        ...args,
      ]);
      return end.ok ? undefined : toolFailure("fetch-failed", what, end);
    },
  };
}

/** Wheels only: a source package runs its own code to be built. */
const PIP_INSTALL =
  "--disable-pip-version-check --no-input --quiet install --only-binary :all:".split(" ");

type Runner = (program: string, args: readonly string[]) => Promise<ToolEnd>;

/** The pip of this Python, or of a virtual environment made for it: Debian ships Python without pip. */
async function pipOf(
  python: string,
  work: string,
  run: Runner,
): Promise<{ readonly program: string; readonly args: readonly string[] } | PrepareFailure> {
  const args = ["-I", "-m", "pip"];
  if ((await run(python, [...args, "--version"])).ok) return { program: python, args };
  const folder = join(work, "pip");
  const made = await run(python, ["-I", "-m", "venv", folder]);
  if (made.ok) return { program: join(folder, "bin/python3"), args };
  return failure(
    "tool-missing",
    "Neither uv nor pip is installed.",
    "Install uv, or pip (Debian, Ubuntu: apt-get install python3-pip python3-venv).",
  );
}

/** The report of `pip install --dry-run`, which names every file and its hash. */
function planOfReport(need: EnvironmentNeed, file: string): EnvironmentPlan {
  const report = JSON.parse(readIfPresent(file)?.toString("utf8") ?? "{}") as PipReport;
  const found = (report.install ?? []).map(({ metadata, download_info: download }) => ({
    name: metadata.name,
    version: metadata.version,
    url: withoutCredentials(download.url),
    hash: download.archive_info?.hashes?.["sha256"] ?? "",
  }));
  const lock = found
    .map(({ name, version, hash }) => `${name}==${version} --hash=sha256:${hash}\n`)
    .join("");
  const libraries = found.map(({ name, version, url }) => ({ name, version, url }));
  return { need, lock, libraries, origins: originsOf(libraries), tool: "pip" };
}

interface PipReport {
  readonly install?: readonly {
    readonly metadata: { readonly name: string; readonly version: string };
    readonly download_info: {
      readonly url: string;
      readonly archive_info?: { readonly hashes?: Readonly<Record<string, string>> };
    };
  }[];
}

function planOfLock(need: EnvironmentNeed, file: string): EnvironmentPlan {
  const lock = readIfPresent(file)?.toString("utf8") ?? "";
  const libraries = [...lock.matchAll(/^([A-Za-z0-9][\w.-]*)==([^\s;\\]+)/gm)].map(
    ([, name = "", version = ""]) => ({ name, version }),
  );
  const origins = [...lock.matchAll(/^--(?:extra-)?index-url (\S+)/gm)].map(([, url = ""]) =>
    withoutCredentials(url),
  );
  return { need, lock, libraries, origins, tool: "uv" };
}

const COMPARISON = /^(>=|<=|==|!=|~=|>|<)\s*(\d+(?:\.\d+){0,2})(\.\*)?$/;

/** Compared here, since resolvers check the Python of packages and not that of scripts. */
async function unmetPython(
  { requiresPython, declaredIn }: PythonNeed,
  ask: (args: readonly string[]) => Promise<ToolEnd>,
): Promise<PrepareFailure | undefined> {
  if (requiresPython === undefined) return undefined;
  const { text } = await ask(["-I", "-c", "import sys; print('%d.%d.%d' % sys.version_info[:3])"]);
  const version = text.trim().split(".").map(Number);
  const isMet = requiresPython.split(",").every((part) => {
    const [, sign, wanted = "", isPrefix] = COMPARISON.exec(part.trim()) ?? [];
    const parts = wanted.split(".").map(Number);
    const length = isPrefix !== undefined || sign === "~=" ? parts.length : 3;
    const order = compare(version.slice(0, length), parts);
    if (sign === ">=") return order >= 0;
    if (sign === ">") return order > 0;
    if (sign === "<=") return order <= 0;
    if (sign === "<") return order < 0;
    if (sign === "!=") return order !== 0;
    if (sign === "~=")
      return order >= 0 && compare(version.slice(0, parts.length - 1), parts.slice(0, -1)) === 0;
    return sign === "==" && order === 0;
  });
  if (isMet) return undefined;
  return failure(
    "tool-missing",
    `${declaredIn} needs Python ${requiresPython}; this machine has ${text.trim()}.`,
    "Install a newer Python for the whole system.",
  );
}

function compare(left: readonly number[], right: readonly number[]): number {
  for (let i = 0; i < 3; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function nodeTools({ env, signal }: PrepareOptions): Tools | PrepareFailure {
  const npm = findTool("npm", env, [dirname(process.execPath)]);
  if (npm === undefined)
    return failure("tool-missing", "npm is not installed.", "Install it beside Node.");
  return {
    resolve: async (need) => planOfNpm(need as NodeNeed),
    async install({ need }, folder) {
      const { manifest, lockfile } = need as NodeNeed;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, "package.json"), manifest);
      writeFileSync(join(folder, "package-lock.json"), lockfile);
      const args = [
        "ci",
        "--ignore-scripts",
        "--omit=dev",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
      ];
      const end = await runTool(npm, args, { cwd: folder, env, signal });
      if (!end.ok)
        return toolFailure(
          "fetch-failed",
          `The libraries of ${need.declaredIn} cannot be installed`,
          end,
        );
      const isThere = readdirSync(folder).includes("node_modules");
      if (!isThere) mkdirSync(join(folder, "node_modules"));
      return undefined;
    },
  };
}

interface NpmEntry {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly inBundle?: boolean;
}

/** Everything comes from a registry with a hash; folders, repositories and links are refused. */
function planOfNpm(need: NodeNeed): EnvironmentPlan | PrepareFailure {
  const refuse = (why: string) =>
    failure(
      "lock-refused",
      `${need.declaredIn} ${why}.`,
      "Make it again with npm 7 or newer, from a registry.",
    );
  let packages: unknown;
  try {
    packages = (JSON.parse(need.lockfile) as { readonly packages?: unknown }).packages;
  } catch {
    return refuse("is not JSON");
  }
  if (typeof packages !== "object" || packages === null) return refuse('has no "packages"');
  const libraries: LockedLibrary[] = [];
  for (const [path, entry] of Object.entries(packages as Record<string, NpmEntry>)) {
    if (path === "" || entry.dev === true || entry.inBundle === true) continue;
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const { resolved, integrity, version = "" } = entry;
    // Lockfiles may leave the address out: it is then the registry that npm is configured with.
    if (entry.link === true || (resolved !== undefined && !/^https?:\/\//.test(resolved))) {
      return refuse(`takes ${JSON.stringify(name)} from somewhere other than a registry`);
    }
    if (integrity === undefined || !/^sha(?:512|384|256)-/.test(integrity)) {
      return refuse(`has no hash for ${JSON.stringify(name)}`);
    }
    const url = resolved === undefined ? undefined : withoutCredentials(resolved);
    libraries.push({ name, version, ...(url !== undefined && { url }) });
  }
  return { need, lock: "", libraries, origins: originsOf(libraries), tool: "npm" };
}

function originsOf(libraries: readonly LockedLibrary[]): readonly string[] {
  const origins = libraries.map(({ url }) =>
    url === undefined ? "the registry that npm is configured with" : new URL(url).origin,
  );
  return [...new Set(origins)].toSorted();
}

function withoutCredentials(url: string): string {
  return url.replace(/^([a-z+]+:\/\/)[^/@\s]*@/i, "$1");
}
