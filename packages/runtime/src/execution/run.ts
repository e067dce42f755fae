import { makeFolder } from "@skillwright/core/internal";
import { tmpdir } from "node:os";
import { type CheckedRequest, checkRequest } from "./check-request.ts";
import {
  type ExecutionContext,
  executionFailure,
  type ExecutionFailure,
  type ExecutionReceipt,
  type ExecutionRequest,
  type Executor,
  type ExecutorOptions,
  refusedReceipt,
  type ScriptExecution,
  timedOutFailure,
  canceledFailure,
} from "./executor.ts";
import type { ScriptChanges } from "../changes/run-changes.ts";
import type { NetworkUse } from "./network/domain-rule.ts";
import { type PreparedRun, prepareRun, type RunPlaces } from "./prepare-run.ts";
import { makeRunDirectory, removeSoon } from "./run-directory.ts";
import type { ChildEnd } from "./supervise-child.ts";

/** One script or command, checked and prepared. */
export interface Run {
  readonly request: ExecutionRequest;
  readonly checked: CheckedRequest;
  readonly prepared: PreparedRun;
  /** Private, and gone afterwards. */
  readonly directory: string;
  readonly context: ExecutionContext;
}

export interface RunEnd {
  readonly ok: true;
  readonly end: ChildEnd;
  /** What was asked for and could not be held. */
  readonly unenforced: readonly string[];
  readonly network?: readonly NetworkUse[];
  readonly changes?: ScriptChanges;
  /** What was found wrong afterwards. */
  readonly failure?: ExecutionFailure;
}

/** What holds the processes of a run: bubblewrap, another sandbox, or nothing. */
export interface Sandbox {
  readonly name: Exclude<ExecutionReceipt["sandbox"], "code">;
  probe(): Promise<{ readonly ok: true } | ExecutionFailure>;
  /** Where a process finds what is its own, when the run's private folder is this one. */
  places(directory: string): RunPlaces;
  /** Runs until every process has ended. A failure, or a throw, means that nothing ran. */
  run(run: Run): Promise<RunEnd | ExecutionFailure>;
}

export interface RunnerOptions extends ExecutorOptions {
  readonly concurrency: number;
}

/** Names the folder for files that outlive the run. */
const OUTPUT_VARIABLE = "SKILLWRIGHT_OUTPUT";

/** The one way of running something: check, copy and prepare, run in the sandbox, receipt. */
export function createRunner(sandbox: Sandbox, options: RunnerOptions): Executor {
  const queue = new RunQueue(options.concurrency);
  const refuse = (failure: ExecutionFailure) => refusedReceipt(sandbox.name, failure);
  return {
    probe: () => sandbox.probe(),
    async run(request, context = {}) {
      const checked = checkRequest(request);
      if (!checked.ok) return refuse(checked);
      const probe = await sandbox.probe();
      if (!probe.ok) return refuse(probe);
      const run = () => runOnce({ request, checked, context }, sandbox, options);
      const receipt = await queue.run(run, context.signal);
      return receipt ?? refuse(neverStarted(checked));
    },
  };
}

async function runOnce(
  { request, checked, context }: Pick<Run, "request" | "checked" | "context">,
  sandbox: Sandbox,
  { interpreters, temporaryDirectory }: RunnerOptions,
): Promise<ExecutionReceipt> {
  const refuse = (failure: ExecutionFailure) => refusedReceipt(sandbox.name, failure);
  const started = performance.now();
  let directory: string | undefined;
  try {
    // What a process without a sandbox leaves in its folders may be too large for memory.
    const isInMemory = temporaryDirectory === undefined && sandbox.name === "bubblewrap";
    directory = makeRunDirectory(isInMemory ? undefined : (temporaryDirectory ?? tmpdir()));
    const places = sandbox.places(directory);
    const { signal } = context;
    const prepared = await prepareRun(request, checked, {
      directory,
      places,
      interpreters,
      signal,
    });
    if (!prepared.ok) return refuse(prepared);
    const output = context.changes?.output;
    if (output !== undefined) makeFolder(output);
    const shownOutput = output && { [OUTPUT_VARIABLE]: places.output ?? output };
    const env = { ...prepared.env, ...shownOutput };
    const run = { request, checked, prepared: { ...prepared, env }, directory, context };
    const ended = await sandbox.run(run);
    if (!ended.ok) return refuse(ended);
    return receiptOf(run, ended, sandbox.name, performance.now() - started);
  } catch (error) {
    return refuse(systemFailure(error, "the run could not be prepared"));
  } finally {
    if (directory !== undefined) removeSoon(directory);
  }
}

export function neverStarted({ name }: CheckedRequest): ExecutionFailure {
  return executionFailure("canceled", `${name} was canceled before it started`);
}

/** A full disk and the like is a failure; anything else is a bug, and thrown. */
export function systemFailure(error: unknown, what: string): ExecutionFailure {
  if (!(error instanceof Error) || !("syscall" in error)) throw error;
  return executionFailure("run-failed", `${what}: ${error.message}`);
}

/** Work after the end of a run. What fails then must not hide that something ran. */
export async function afterRun(
  work: () => Promise<ExecutionFailure | undefined> | ExecutionFailure | undefined,
): Promise<ExecutionFailure | undefined> {
  try {
    return await work();
  } catch (error) {
    return systemFailure(error, "it ran, and what it left could not be checked or removed");
  }
}

function receiptOf(
  run: Run,
  { end, unenforced, network, changes, failure: found }: RunEnd,
  sandbox: ExecutionReceipt["sandbox"],
  durationMs: number,
): ExecutionReceipt {
  const failure = found ?? failureOf(end, run);
  const { command, snapshot } = run.prepared;
  return {
    ok: failure === undefined,
    exitCode: end.exitCode,
    signal: end.signal,
    timedOut: end.timedOut,
    canceled: end.canceled,
    truncated: end.stdout.truncated || end.stderr.truncated,
    stdout: end.stdout.text,
    stderr: end.stderr.text,
    durationMs,
    sandbox,
    digest: snapshot?.digest ?? "",
    command,
    unenforced,
    ...(network === undefined ? {} : { network }),
    ...(changes === undefined ? {} : { changes }),
    ...(failure === undefined ? {} : { failure }),
  };
}

function failureOf(
  end: ChildEnd,
  { request, checked, prepared }: Run,
): ExecutionFailure | undefined {
  const { name, limits } = checked;
  if (end.startError !== undefined) {
    return executionFailure("run-failed", `${name} could not be started: ${end.startError}`);
  }
  if (end.canceled) return canceledFailure(name);
  if (end.timedOut) return timedOutFailure(name, limits.timeoutMs);
  if (end.exitCode === 0) return undefined;
  const how = end.signal === null ? `with exit code ${end.exitCode}` : `by ${end.signal}`;
  const { interpreter = "", snapshot } = prepared;
  const usesEnvironment = (request as Partial<ScriptExecution>).virtualEnvironment !== undefined;
  return (
    missingModule(interpreter, end.stderr.text, usesEnvironment, snapshot?.files) ??
    executionFailure("script-failed", `${name} ended ${how}`)
  );
}

/** Modules whose package has another name. */
const PACKAGES: Readonly<Record<string, string>> = {
  bs4: "beautifulsoup4",
  cv2: "opencv-python",
  dateutil: "python-dateutil",
  docx: "python-docx",
  dotenv: "python-dotenv",
  fitz: "PyMuPDF",
  PIL: "pillow",
  pptx: "python-pptx",
  sklearn: "scikit-learn",
  yaml: "PyYAML",
};

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
  if (interpreter.startsWith("python")) {
    const [, name, rest = ""] = PYTHON.exec(stderr) ?? [];
    if (name === undefined) return undefined;
    return isOwn(name, skillFiles) ? ownModule(name + rest) : pythonModule(name, usesEnvironment);
  }
  const name = interpreter === "node" ? NODE.exec(stderr)?.[1] : undefined;
  if (name === undefined) return undefined;
  return executionFailure(
    "module-missing",
    `the script needs the package ${JSON.stringify(name)}, which is not there`,
    "Scripts see only what lies in the skill: put the package into the skill's node_modules.",
  );
}

/** Whether a folder or module at the root of the skill has this name. */
function isOwn(name: string, files: ReadonlySet<string>): boolean {
  return [...files].some((path) => path.startsWith(`${name}/`) || path === `${name}.py`);
}

function ownModule(name: string): ExecutionFailure {
  return executionFailure(
    "module-missing",
    `the script imports ${JSON.stringify(name)} from its skill's own package, and that cannot be found`,
    "There is nothing to install: fix the import, or add the missing file to the skill. Imports start at the script's folder or the skill's root.",
  );
}

function pythonModule(name: string, usesEnvironment: boolean): ExecutionFailure {
  const packageName = Object.hasOwn(PACKAGES, name) ? PACKAGES[name] : name;
  const install = `pip install ${packageName}`;
  return executionFailure(
    "module-missing",
    `the script needs the Python module ${JSON.stringify(name)}, which is not installed`,
    usesEnvironment
      ? `Run "${install}" in the virtual environment that is configured.`
      : `Make a virtual environment (python3 -m venv <folder>), run "<folder>/bin/${install}", and name it as execution.virtualEnvironment.`,
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
    if (this.#running < this.#limit) {
      this.#running++;
      return Promise.resolve(true);
    }
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
      this.#waiting.push(start);
      signal?.addEventListener("abort", stop, { once: true });
    });
  }
}
