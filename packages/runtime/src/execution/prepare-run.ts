import { nearNames } from "@skillwright/core";
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { CheckedRequest } from "./check-request.ts";
import {
  type CommandExecution,
  executionFailure,
  type ExecutionFailure,
  type ExecutionRequest,
  type ScriptExecution,
  type Snapshot,
} from "./executor.ts";
import { findInterpreter, isTypeScript } from "./find-interpreter.ts";
import { findProgram } from "./find-program.ts";
import { changedSkill, snapshotSkill } from "./snapshot-skill.ts";

/** A command line with all that it needs. */
export interface PreparedRun {
  readonly ok: true;
  /** As its process sees it. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What a sandbox must show beyond the system's own folders. */
  readonly binds: readonly string[];
  /** What is left of the timeout. */
  readonly timeoutMs: number;
  /** Of the skill; a command has none. */
  readonly snapshot?: Snapshot;
  /** Folder with JavaScript made of TypeScript, when the script is such. */
  readonly typescript?: string;
  /** By name; a command has none. */
  readonly interpreter?: string;
}

/** Where a process finds what is its own. */
export interface RunPlaces {
  readonly home: string;
  readonly temporary: string;
  /** Where the sandbox shows these; without one they are where they are. */
  readonly skill?: string;
  readonly typescript?: string;
  readonly output?: string;
}

export interface PrepareOptions {
  /** Private folder of the run. */
  readonly directory: string;
  readonly places: RunPlaces;
  readonly interpreters?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

const HEAD_BYTES = 64 * 1024;

/** Copies the skill of a script, checks it against what was approved, and builds the command line. */
export async function prepareRun(
  request: ExecutionRequest,
  checked: CheckedRequest,
  options: PrepareOptions,
): Promise<PreparedRun | ExecutionFailure> {
  return "argv" in request
    ? prepareCommand(request, checked, options)
    : prepareScript(request, checked, options);
}

function prepareCommand(
  { argv: [given = "", ...args], env: added }: CommandExecution,
  { limits: { timeoutMs } }: CheckedRequest,
  { places }: PrepareOptions,
): PreparedRun | ExecutionFailure {
  const program = findProgram(given);
  if (!program.ok) return program;
  const { home, temporary } = places;
  const environment = cleanEnvironment({ home, temporary }, added);
  if (!environment.ok) return environment;
  const command = [program.program, ...args];
  return { ok: true, command, env: environment.env, binds: program.binds, timeoutMs };
}

async function prepareScript(
  request: ScriptExecution,
  { name: script, limits }: CheckedRequest,
  { directory, places, interpreters, signal }: PrepareOptions,
): Promise<PreparedRun | ExecutionFailure> {
  const { skill, virtualEnvironment } = request;
  const snapshot = skill.snapshot ?? (await snapshotSkill(skill, join(directory, "skill")));
  if (!snapshot.ok) return snapshot;
  if (skill.digest !== undefined && skill.digest !== snapshot.digest) {
    return changedSkill(skill, snapshot.digest);
  }
  if (!snapshot.files.has(script)) return missingScript(request, script, snapshot);
  const interpreter = findInterpreter(script, headOf(join(snapshot.directory, script)), {
    ...(interpreters && { interpreters }),
    ...(virtualEnvironment !== undefined && { virtualEnvironment }),
  });
  if (!interpreter.ok) return interpreter;
  const { name, program, args: flags, binds } = interpreter;
  const { skill: seen = snapshot.directory } = places;
  const isPython = name.startsWith("python") || name === "uv";
  const environment = cleanEnvironment(
    {
      ...places,
      skill: { directory: seen, name: skill.name },
      // The skill's own packages are imported by their path from its root. A colon would make two of it.
      ...(isPython && !seen.includes(":") && { pythonPath: seen }),
    },
    request.env,
  );
  if (!environment.ok) return environment;
  const common = { ok: true, env: environment.env, binds, snapshot, interpreter: name } as const;
  const rest = [join(seen, script), ...request.args];
  if (!isTypeScript(script)) {
    return { ...common, command: [program, ...flags, ...rest], timeoutMs: limits.timeoutMs };
  }
  const { HOOKS_FILE, transpileScripts } = await import("./transpile-scripts.ts");
  const started = performance.now();
  const typescript = join(directory, "typescript");
  const problem = await transpileScripts(snapshot, script, typescript, { limits, signal });
  if (problem !== undefined) return problem;
  const hooks = join(places.typescript ?? typescript, HOOKS_FILE);
  return {
    ...common,
    typescript,
    command: [program, ...flags, "--import", hooks, ...rest],
    timeoutMs: Math.max(1, Math.ceil(limits.timeoutMs - (performance.now() - started))),
  };
}

function headOf(file: string): string {
  const descriptor = openSync(file, "r");
  try {
    const bytes = Buffer.allocUnsafe(HEAD_BYTES);
    return bytes.toString("utf8", 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}

function missingScript(
  { skill }: ScriptExecution,
  script: string,
  { files }: Snapshot,
): ExecutionFailure {
  const scripts = [...files].filter((path) => path.startsWith("scripts/"));
  const near = nearNames(script, scripts);
  const message = `the skill ${JSON.stringify(skill.name)} has no script ${JSON.stringify(script)}`;
  const candidates = near.length > 0 ? near : scripts.slice(0, 10);
  return { ...executionFailure("script-missing", message), candidates };
}

interface EnvironmentPlaces extends Pick<RunPlaces, "home" | "temporary"> {
  readonly skill?: { readonly directory: string; readonly name: string };
  /** Python looks here for modules after the script's own folder. */
  readonly pythonPath?: string;
}

/** Only folders that belong to the system; an empty part would mean the working directory. */
const CLEAN_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const MAX_VALUE_LENGTH = 32 * 1024;

/** Variables that make a program load or start something, or that are ours to set. */
const REFUSED = new RegExp(
  `^(?:${[
    "(?:LD|DYLD|NODE|GIT|BASH|GLIBC|MALLOC|NPM|UV|PIP|JAVA|JDK|DOTNET|SKILLWRIGHT)_.*",
    "(?:OPENSSL|SSL|SSH|DBUS|XDG)_.*|(?:PYTHON|PERL5|TERMINFO|GCONV).*|PERLLIB|RUBYOPT|RUBYLIB",
    ".*_PROXY|PATH|HOME|USER|LOGNAME|TMPDIR|TMP|TEMP|TERM|SHELL|LANG|NO_COLOR|SKILL_DIR|SKILL_NAME",
    "ENV|IFS|CDPATH|SHELLOPTS|BASHOPTS|PS\\d|PROMPT_COMMAND|LOCPATH|NLSPATH|HOSTALIASES",
    "RESOLV_HOST_CONF|EDITOR|VISUAL|PAGER|LESSOPEN|LESSCLOSE|BROWSER|DISPLAY",
  ].join("|")})$`,
  "i",
);

/** Builds the environment of a process from nothing. That of this process is not looked at. */
export function cleanEnvironment(
  { home, temporary, skill, pythonPath }: EnvironmentPlaces,
  added: Readonly<Record<string, string>> = {},
): { readonly ok: true; readonly env: Readonly<Record<string, string>> } | ExecutionFailure {
  for (const [name, value] of Object.entries(added)) {
    const problem = problemOf(name, value);
    if (problem === undefined) continue;
    const shown = JSON.stringify(name.slice(0, 100));
    return executionFailure("environment-refused", `the variable ${shown} ${problem}`);
  }
  const env = {
    ...added,
    PATH: CLEAN_PATH,
    HOME: home,
    USER: "sandbox",
    LOGNAME: "sandbox",
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    TMPDIR: temporary,
    ...(skill && { SKILL_DIR: skill.directory, SKILL_NAME: skill.name.replaceAll("\0", "") }),
    ...(pythonPath !== undefined && { PYTHONPATH: pythonPath }),
  };
  return { ok: true, env };
}

function problemOf(name: string, value: string): string | undefined {
  if (!NAME.test(name)) return "has a name that is not allowed";
  if (REFUSED.test(name)) return "changes how programs start, or is set by the runtime";
  if (typeof value !== "string" || value.includes("\0")) return "has a value that is not allowed";
  return value.length > MAX_VALUE_LENGTH ? "has a value that is too long" : undefined;
}
