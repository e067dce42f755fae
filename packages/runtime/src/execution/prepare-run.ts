import { SkillwrightError } from "@skillwright/core";
import {
  combineDigests,
  type FileDigest,
  nearNames,
  walkDirectory,
  copyFiles,
  defined,
  errorCode,
} from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import { closeSync, openSync, readSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { CheckedRequest } from "./check-request.ts";
import {
  type ExecutedSkill,
  executionFailure,
  type ExecutionFailure,
  type ExecutionRequest,
  type ScriptExecution,
  type Snapshot,
} from "./executor.ts";
import { findInterpreter, findProgram, isTypeScript } from "./find-program.ts";

const MAX_FILES = 2000;
const MAX_BYTES = 50 * 1024 * 1024;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const UNSAFE_PATH = /[\u0000-\u001f\u007f-\u009f\uFFFD]/;

/**
 * Copies a skill to a private folder. The digest is that of the bytes which were copied, so what
 * runs is what it names, whatever happens to the skill meanwhile.
 */
export async function snapshotSkill(
  skill: ExecutedSkill,
  directory: string,
  wanted: readonly string[] = [],
): Promise<Snapshot | ExecutionFailure> {
  try {
    return await copySkill(skill, directory, wanted);
  } catch (error) {
    if (SkillwrightError.isInstance(error)) {
      return executionFailure("skill-unreadable", error.message);
    }
    const code = errorCode(error);
    if (code === undefined) throw error;
    const message = `the skill ${JSON.stringify(skill.name)} cannot be copied: ${code}`;
    return executionFailure("skill-unreadable", message);
  }
}

async function copySkill(
  skill: ExecutedSkill,
  directory: string,
  wanted: readonly string[],
): Promise<Snapshot | ExecutionFailure> {
  const refuse = (path: string, why: string) =>
    executionFailure("skill-unreadable", `${JSON.stringify(path)} ${why}; such a skill is not run`);
  const { entries, truncated, unreadable } = await walkDirectory(skill.path, {
    maxEntries: 2 * MAX_FILES,
  });
  if (unreadable[0] !== undefined) return refuse(unreadable[0], "cannot be read");
  if (truncated || entries.length > MAX_FILES) return tooLarge(`more than ${MAX_FILES} files`);
  for (const { path, kind } of entries) {
    if (kind !== "file") return refuse(path, kind === "link" ? "is a link" : "is not a file");
    if (UNSAFE_PATH.test(path)) return refuse(path, "has a name that is not allowed");
  }
  const digests: FileDigest[] = [];
  const contents = new Map<string, Buffer>();
  const copied = await copyFiles(realpathSync(skill.path), entries, directory, {
    maxBytes: MAX_BYTES,
    mode: (mode) => ((mode & 0o100) === 0 ? 0o400 : 0o500),
    onFile(path, bytes) {
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      digests.push({ path, sha256, size: bytes.length });
      if (wanted.includes(path)) contents.set(path, bytes);
    },
  });
  if (!copied.ok) {
    const { path, reason, errorCode: code } = copied;
    if (reason === "too-large") return tooLarge(`more than ${MAX_BYTES} bytes`);
    return refuse(path, PROBLEMS[reason] ?? `cannot be read: ${code}`);
  }
  const digest = combineDigests(digests);
  if (skill.digest !== undefined && skill.digest !== digest) return changedSkill(skill, digest);
  const files = new Set(digests.map(({ path }) => path));
  return { ok: true, directory, digest, files, contents };
}

const PROBLEMS: Readonly<Record<string, string>> = {
  "not-a-file": "is not a file",
  link: "lies behind a link",
  changing: "changes while it is read",
};

function tooLarge(why: string): ExecutionFailure {
  return executionFailure("skill-too-large", `the skill has ${why}; such a skill is not run`);
}

/** What was approved is not what is there. */
function changedSkill(skill: ExecutedSkill, digest: string): ExecutionFailure {
  return executionFailure(
    "digest-mismatch",
    `the skill ${JSON.stringify(skill.name)} is not the one that was approved: it has the digest ${digest}, approved is ${skill.digest}`,
    "Look at what changed, and approve it again.",
  );
}

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
