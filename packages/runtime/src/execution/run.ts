import { defined, makeFolder } from "@skillwright/core/internal";
import { availableParallelism, tmpdir } from "node:os";
import type { ScriptChanges } from "../changes/run-changes.ts";
import { type CheckedRequest, checkRequest } from "./check-request.ts";
import {
  canceledFailure,
  type ExecutionContext,
  executionFailure,
  type ExecutionFailure,
  type ExecutionReceipt,
  type ExecutionRequest,
  type Executor,
  type ExecutorOptions,
  refusedReceipt,
  timedOutFailure,
} from "./executor.ts";
import type { NetworkUse } from "./network/domain-rule.ts";
import { type PreparedRun, prepareRun, type RunPlaces } from "./prepare-run.ts";
import { type ChildEnd, makeRunDirectory, removeSoon } from "./child-process.ts";

/** Modules whose package has another name. */
const PACKAGES: ReadonlyMap<string, string> = new Map([
  ["bs4", "beautifulsoup4"],
  ["cv2", "opencv-python"],
  ["dateutil", "python-dateutil"],
  ["docx", "python-docx"],
  ["dotenv", "python-dotenv"],
  ["fitz", "PyMuPDF"],
  ["PIL", "pillow"],
  ["pptx", "python-pptx"],
  ["sklearn", "scikit-learn"],
  ["yaml", "PyYAML"],
]);

const PYTHON =
  /^(?:ModuleNotFoundError|ImportError): No module named '?([A-Za-z0-9_]+)([A-Za-z0-9_.]*)/m;
const NODE = /(?:Cannot find package|Cannot find module) '([^'./][^']{0,200})'/;

/** Names the module that a script could not load, and what to do about it. */
export function missingModule(
  interpreter: string,
  stderr: string,
  usesEnvironment: boolean,
  skillFiles: ReadonlySet<string> = new Set(),
): ExecutionFailure | undefined {
  const missing = (message: string, hint: string) =>
    executionFailure("module-missing", `the script ${message}`, hint);
  if (interpreter === "node") {
    const name = NODE.exec(stderr)?.[1];
    if (name === undefined) return undefined;
    return missing(
      `needs the package ${JSON.stringify(name)}, which is not there`,
      "Scripts see only what lies in the skill: put the package into the skill's node_modules.",
    );
  }
  const [, name, rest = ""] = (interpreter.startsWith("python") && PYTHON.exec(stderr)) || [];
  if (name === undefined) return undefined;
  const isOfSkill = [...skillFiles].some(
    (path) => path.startsWith(`${name}/`) || path === `${name}.py`,
  );
  if (isOfSkill) {
    return missing(
      `imports ${JSON.stringify(name + rest)} from its skill's own package, and that cannot be found`,
      "There is nothing to install: fix the import, or add the missing file to the skill. Imports start at the script's folder or the skill's root.",
    );
  }
  const install = `pip install ${PACKAGES.get(name) ?? name}`;
  // Where the package itself is missing, Python names it alone.
  const problem =
    rest === ""
      ? `needs the Python module ${JSON.stringify(name)}, which is not installed`
      : `needs ${JSON.stringify(name + rest)}, which the installed version of ${name} does not have`;
  return missing(
    problem,
    usesEnvironment
      ? `Run "${install}" in the virtual environment that is configured.`
      : `Make a virtual environment (python3 -m venv <folder>), run "<folder>/bin/${install}", and name it as execution.virtualEnvironment.`,
  );
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
