import { SkillwrightError } from "@skillwright/core";
import {
  combineDigests,
  copyFiles,
  defined,
  errorCode,
  type FileDigest,
  makeFolder,
  nearNames,
  walkDirectory,
} from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import { closeSync, lstatSync, openSync, readSync, realpathSync, symlinkSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ScriptChanges } from "../changes/run-changes.ts";
import { type CheckedRequest, checkRequest } from "./check-request.ts";
import { type ChildEnd, makeRunDirectory, removeSoon } from "./child-process.ts";
import {
  type ExecutedSkill,
  type ExecutionContext,
  type ExecutionReceipt,
  type ExecutionRequest,
  type Executor,
  type ExecutorOptions,
  refusedReceipt,
  type ScriptExecution,
  type Snapshot,
} from "./executor.ts";
import {
  canceledFailure,
  executionFailure,
  missingModule,
  type ExecutionFailure,
  timedOutFailure,
} from "./execution-failure.ts";
import { findInterpreter, findProgram, isTypeScript } from "./find-program.ts";
import { type NetworkUse, wildcardOverStrangers } from "./network/domain-rule.ts";

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
interface PreparedRun {
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
  /** Packages of a Node script, when an environment was prepared for it. */
  readonly nodeModules?: string | undefined;
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
  { skill, args, virtualEnvironment, nodeModules }: ScriptExecution,
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
  const isPython = name.startsWith("python");
  const env = cleanEnvironment(places, {
    SKILL_DIR: shown,
    SKILL_NAME: skill.name.replaceAll("\0", ""),
    // The skill's own packages are imported by their path from its root. A colon would make two of it.
    ...(isPython && !shown.includes(":") && { PYTHONPATH: shown }),
  });
  const isBeside = nodeModules !== undefined && places.skill === undefined;
  if (isBeside) linkBeside(snapshot.directory, nodeModules);
  const prepared = { ok: true, env, binds, snapshot, nodeModules, interpreter: name } as const;
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

/** Node looks for packages in the folders above a script. */
function linkBeside(snapshot: string, nodeModules: string): void {
  const link = join(dirname(snapshot), "node_modules");
  if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(nodeModules, link);
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

/** One script or command, checked and prepared. */
export interface Run extends CheckedRequest, PreparedRun {
  readonly request: ExecutionRequest;
  /** Private, and gone afterwards. */
  readonly directory: string;
  readonly context: ExecutionContext;
}

export interface RunEnd {
  readonly ok: true;
  readonly end: ChildEnd;
  /** What was asked for and could not be held. */
  readonly unenforced: readonly string[];
  readonly network?: readonly NetworkUse[] | undefined;
  readonly changes?: ScriptChanges;
  /** What was found wrong afterwards. */
  readonly failure?: ExecutionFailure | undefined;
}

/** What holds the processes of a run: bubblewrap, another sandbox, or nothing. */
export interface Sandbox {
  readonly name: ExecutionReceipt["sandbox"];
  probe(): Promise<{ readonly ok: true } | ExecutionFailure>;
  /** Where a process finds what is its own, when the run's private folder is this one. */
  places(directory: string): RunPlaces;
  /** Runs until every process has ended. A failure, or a throw, means that nothing ran. */
  run(run: Run): Promise<RunEnd | ExecutionFailure>;
}

/** The one way of running something: check, copy and prepare, run in the sandbox, receipt. */
export function createRunner(sandbox: Sandbox, options: ExecutorOptions): Executor {
  const queue = new RunQueue(Math.max(4, 2 * availableParallelism()));
  const runOnce = async (
    request: ExecutionRequest,
    context: ExecutionContext,
  ): Promise<ExecutionReceipt | ExecutionFailure> => {
    const checked = checkRequest(request);
    if (!checked.ok) return checked;
    const wildcard = await wildcardOverStrangers(checked.domains);
    if (wildcard !== undefined) {
      const message = `${wildcard} covers hosts of strangers: anyone can register a name below it`;
      return executionFailure("network-invalid", message, "Name each host in execution.domains.");
    }
    const probe = await sandbox.probe();
    if (!probe.ok) return probe;
    const run = () => runChecked(request, checked, context, sandbox, options);
    return (await queue.run(run, context.signal)) ?? neverStarted(checked.name);
  };
  return {
    probe: () => sandbox.probe(),
    async run(request, context = {}) {
      const result = await runOnce(request, context);
      return "code" in result ? refusedReceipt(sandbox.name, result) : result;
    },
  };
}

async function runChecked(
  request: ExecutionRequest,
  checked: CheckedRequest,
  context: ExecutionContext,
  sandbox: Sandbox,
  { temporaryDirectory }: ExecutorOptions,
): Promise<ExecutionReceipt | ExecutionFailure> {
  const started = performance.now();
  let directory: string | undefined;
  try {
    // What a process without a sandbox leaves in its folders may be too large for memory.
    const isInMemory = sandbox.name === "bubblewrap";
    directory = makeRunDirectory(temporaryDirectory ?? (isInMemory ? undefined : tmpdir()));
    const places = sandbox.places(directory);
    const output = context.changes?.output;
    if (output !== undefined) makeFolder(output);
    const prepared = await prepareRun(request, checked, {
      directory,
      places: { ...places, output: output && (places.output ?? output) },
      signal: context.signal,
    });
    if (!prepared.ok) return prepared;
    const run = { ...checked, ...prepared, request, directory, context };
    const ended = await sandbox.run(run);
    return ended.ok ? receiptOf(run, ended, sandbox.name, performance.now() - started) : ended;
  } catch (error) {
    return systemFailure(error, "the run could not be prepared");
  } finally {
    if (directory !== undefined) removeSoon(directory);
  }
}

export function neverStarted(name: string): ExecutionFailure {
  return executionFailure("canceled", `${name} was canceled before it started`);
}

/** A full disk and the like is a failure; anything else is a bug, and thrown. */
export function systemFailure(error: unknown, what: string): ExecutionFailure {
  if (!(error instanceof Error) || !("syscall" in error)) throw error;
  return executionFailure("run-failed", `${what}: ${error.message}`);
}

/** Work after the end of a run. What fails then must not hide that something ran. */
export async function afterRun(
  work: () => Promise<ExecutionFailure | void> | ExecutionFailure | void,
): Promise<ExecutionFailure | undefined> {
  try {
    return (await work()) ?? undefined;
  } catch (error) {
    return systemFailure(error, "it ran, and what it left could not be checked or removed");
  }
}

function receiptOf(
  run: Run,
  { end, unenforced, network, changes, failure = failureOf(run, end) }: RunEnd,
  sandbox: ExecutionReceipt["sandbox"],
  durationMs: number,
): ExecutionReceipt {
  const { exitCode, signal, timedOut, canceled, stdout, stderr } = end;
  return {
    ok: failure === undefined,
    exitCode,
    signal,
    timedOut,
    canceled,
    truncated: stdout.truncated || stderr.truncated,
    stdout: stdout.text,
    stderr: stderr.text,
    durationMs,
    sandbox,
    digest: run.snapshot?.digest ?? "",
    command: run.command,
    unenforced,
    ...defined({ network, changes, failure }),
  };
}

function failureOf(
  { request, name, limits, interpreter = "", snapshot }: Run,
  end: ChildEnd,
): ExecutionFailure | undefined {
  if (end.startError !== undefined) {
    return executionFailure("run-failed", `${name} could not be started: ${end.startError}`);
  }
  if (end.canceled) return canceledFailure(name);
  if (end.timedOut) return timedOutFailure(name, limits.timeoutMs);
  if (end.exitCode === 0) return undefined;
  const how = end.signal === null ? `with exit code ${end.exitCode}` : `by ${end.signal}`;
  const usesEnvironment = !("argv" in request) && request.virtualEnvironment !== undefined;
  return (
    missingModule(interpreter, end.stderr.text, usesEnvironment, snapshot?.files) ??
    executionFailure("script-failed", `${name} ended ${how}`)
  );
}

/** Lets a number of runs go at once; the others wait in order. */
export class RunQueue {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Undefined when the signal comes before the turn does; the work is then never started. */
  async run<Result>(
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result | undefined> {
    if (!(await this.#turn(signal))) return undefined;
    try {
      return await work();
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<boolean> {
    if (signal?.aborted === true) return Promise.resolve(false);
    return new Promise((resolve) => {
      const start = () => {
        signal?.removeEventListener("abort", stop);
        this.#running++;
        resolve(true);
      };
      const stop = () => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        resolve(false);
      };
      if (this.#running < this.#limit) return start();
      this.#waiting.push(start);
      signal?.addEventListener("abort", stop, { once: true });
    });
  }
}
