import { nearNames, defined } from "@skillwright/core/internal";
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { CheckedRequest } from "./check-request.ts";
import {
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
  /** For files that outlive the run. */
  readonly output?: string | undefined;
}

interface PrepareOptions {
  /** Private folder of the run. */
  readonly directory: string;
  readonly places: RunPlaces;
  readonly signal?: AbortSignal | undefined;
}

const HEAD_BYTES = 64 * 1024;

/** Copies the skill of a script, checks it against what was approved, and builds the command line. */
export async function prepareRun(
  request: ExecutionRequest,
  checked: CheckedRequest,
  options: PrepareOptions,
): Promise<PreparedRun | ExecutionFailure> {
  if (!("argv" in request)) return prepareScript(request, checked, options);
  const [given = "", ...args] = request.argv;
  const program = findProgram(given);
  if (!program.ok) return program;
  const env = cleanEnvironment(options.places);
  const { timeoutMs } = checked.limits;
  return { ok: true, command: [program.program, ...args], env, binds: program.binds, timeoutMs };
}

async function prepareScript(
  { skill, args, virtualEnvironment }: ScriptExecution,
  { name: script, limits }: CheckedRequest,
  { directory, places, signal }: PrepareOptions,
): Promise<PreparedRun | ExecutionFailure> {
  const snapshot = skill.snapshot ?? (await snapshotSkill(skill, join(directory, "skill")));
  if (!snapshot.ok) return snapshot;
  if (skill.digest !== undefined && skill.digest !== snapshot.digest) {
    return changedSkill(skill, snapshot.digest);
  }
  if (!snapshot.files.has(script)) return missingScript(skill.name, script, snapshot);
  const head = headOf(join(snapshot.directory, script));
  const interpreter = findInterpreter(script, head, virtualEnvironment);
  if (!interpreter.ok) return interpreter;
  const { name, program, args: flags, binds } = interpreter;
  const shown = places.skill ?? snapshot.directory;
  const isPython = name.startsWith("python") || name === "uv";
  const env = cleanEnvironment(places, {
    SKILL_DIR: shown,
    SKILL_NAME: skill.name.replaceAll("\0", ""),
    // The skill's own packages are imported by their path from its root. A colon would make two of it.
    ...(isPython && !shown.includes(":") && { PYTHONPATH: shown }),
  });
  const prepared = { ok: true, env, binds, snapshot, interpreter: name } as const;
  const rest = [join(shown, script), ...args];
  if (!isTypeScript(script)) {
    return { ...prepared, command: [program, ...flags, ...rest], timeoutMs: limits.timeoutMs };
  }
  const { HOOKS_FILE, transpileScripts } = await import("./transpile-scripts.ts");
  const started = performance.now();
  const typescript = join(directory, "typescript");
  const problem = await transpileScripts(snapshot, script, typescript, limits, signal);
  if (problem !== undefined) return problem;
  const hooks = join(places.typescript ?? typescript, HOOKS_FILE);
  return {
    ...prepared,
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

function missingScript(skill: string, script: string, { files }: Snapshot): ExecutionFailure {
  const scripts = [...files].filter((path) => path.startsWith("scripts/"));
  const near = nearNames(script, scripts);
  const message = `the skill ${JSON.stringify(skill)} has no script ${JSON.stringify(script)}`;
  const candidates = near.length > 0 ? near : scripts.slice(0, 10);
  return { ...executionFailure("script-missing", message), candidates };
}

/** Only folders that belong to the system; an empty part would mean the working directory. */
const CLEAN_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

/** Builds the environment of a process from nothing. That of this process is not looked at. */
export function cleanEnvironment(
  { home, temporary, output }: RunPlaces,
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return {
    PATH: CLEAN_PATH,
    HOME: home,
    USER: "sandbox",
    LOGNAME: "sandbox",
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    TMPDIR: temporary,
    ...defined({ SKILLWRIGHT_OUTPUT: output }),
    ...more,
  };
}
