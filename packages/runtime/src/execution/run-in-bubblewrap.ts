import { constants, release } from "node:os";
import { basename } from "node:path";
import {
  SANDBOX_HOME,
  SANDBOX_SKILL,
  SANDBOX_TEMPORARY,
  SANDBOX_TYPESCRIPT,
} from "./bubblewrap-arguments.ts";
import type { RunTask } from "./run-task.ts";
import type { BubblewrapOptions } from "./bubblewrap-options.ts";
import { cleanEnvironment } from "./clean-environment.ts";
import {
  makePlaceholders,
  NO_PLACES,
  writablePlaces,
  type WritablePlaces,
} from "./control-files.ts";
import { journalControlFiles } from "./control-files-journal.ts";
import {
  executionFailure,
  type ExecutionFailure,
  type ExecutionReceipt,
  refusedReceipt,
} from "./execution-receipt.ts";
import { finishReceipt } from "./finish-receipt.ts";
import { countOwnThreads, limitArguments } from "./limit-arguments.ts";
import {
  openSandboxNetwork,
  RELAY_PROCESSES,
  type SandboxNetwork,
  showCertificates,
} from "./network/sandbox-network.ts";
import { openOutputPipes } from "./output-pipes.ts";
import { commandOf, prepareRun, pythonPathOf } from "./prepare-run.ts";
import { processGone } from "./process-alive.ts";
import { makeProcessCgroup, type ProcessCgroup } from "./process-cgroup.ts";
import { refuseNewControlFiles } from "./refuse-new-control-files.ts";
import {
  activePlaceholders,
  journalPlaceholders,
  removePlaceholders,
  removeSoon,
  sharedDirectory,
} from "./run-directory.ts";
import { sandboxFiles } from "./sandbox-files.ts";
import { type SandboxShape, sandboxShape } from "./sandbox-shape.ts";
import { type StartedSandbox, startBubblewrap } from "./start-bubblewrap.ts";
import { type ChildEnd, superviseChild } from "./supervise-child.ts";
import { trustedProgram } from "./trusted-program.ts";
import type { SandboxSlot, WaitingSandbox } from "./waiting-sandbox.ts";

export interface BubblewrapTask extends RunTask<BubblewrapOptions> {
  /** Where a sandbox may stand ready. */
  readonly slot?: SandboxSlot;
}

const PREPARE_AFTER_MS = 2;
/** Since this kernel, processes are counted for each user namespace by itself. */
const COUNTED_BY_NAMESPACE = [5, 14] as const;

/** One run, from the snapshot to the receipt. */
export async function runInBubblewrap(task: BubblewrapTask): Promise<ExecutionReceipt> {
  const { directory, options, checked } = task;
  if (checked.domains.length === 0) return runWith(task, undefined);
  const network = await openSandboxNetwork(directory, {
    domains: checked.domains,
    admission: options.admission ?? {},
    ...(options.interpreters === undefined ? {} : { interpreters: options.interpreters }),
  });
  try {
    return await runWith(task, network);
  } finally {
    network.close();
  }
}

async function runWith(
  task: BubblewrapTask,
  network: SandboxNetwork | undefined,
): Promise<ExecutionReceipt> {
  const { request, checked, directory, context, options } = task;
  const { limits } = checked;
  const refuse = (failure: ExecutionFailure) => refusedReceipt("bubblewrap", failure);
  const started = performance.now();
  const prepared = await prepareRun(request, checked, directory, {
    ...options,
    signal: context.signal,
  });
  if (!prepared.ok) return refuse(prepared);
  const environment = cleanEnvironment(
    {
      home: SANDBOX_HOME,
      temporary: SANDBOX_TEMPORARY,
      skillDirectory: SANDBOX_SKILL,
      skillName: request.skill.name,
      pythonPath: pythonPathOf(prepared, SANDBOX_SKILL),
    },
    request.env,
  );
  if (!environment.ok) return refuse(environment);
  const places = placesOf(task);
  if (!places.ok) return refuse(places);

  const isRoot = process.getuid?.() === 0;
  const processes = limits.processes + (network === undefined ? 0 : RELAY_PROCESSES);
  const counted = isRoot ? undefined : { count: processCount(processes) };
  const limited = limitArguments(limits, counted);
  const unenforced = new Set(limited.unenforced);
  if (places.writable.length > 0) unenforced.add("disk");
  for (const name of places.unenforced) unenforced.add(name);

  journalPlaceholders(directory, places.placeholders);
  journalControlFiles(directory, places, limits.timeoutMs);
  makePlaceholders(places.placeholders);
  const files = sandboxFiles(sharedDirectory(directory));
  if (files.filter === undefined) unenforced.add("systemCalls");
  if (network !== undefined) showCertificates(files.etc);
  const { typescript } = prepared;
  const command = commandOf(prepared, checked, request.args, {
    skill: SANDBOX_SKILL,
    ...(typescript === undefined ? {} : { typescript: SANDBOX_TYPESCRIPT }),
  });
  const env = { ...environment.env, ...network?.env };
  const shape = sandboxShape(task, { prepared, places, files, network, processes, counted });
  // What lies in this run's own folder cannot be there before it.
  const canWait =
    request.stdin === undefined &&
    typescript === undefined &&
    network === undefined &&
    places === NO_PLACES;
  const start = { skill: prepared.snapshot.directory, command, env };
  const waiting = canWait ? task.slot?.take(shape, start.skill) : undefined;
  waiting?.begin(start.skill, command, env);
  const { sandbox, pipes, group } = waiting ?? startNow(task, shape, start);
  if (canWait) prepareNext(task, shape);
  const end = await superviseChild(sandbox.child, {
    ...context,
    pipes,
    timeoutMs: prepared.timeoutMs,
    outputBytes: limits.outputBytes,
    ...(request.stdin === undefined ? {} : { stdin: request.stdin }),
    ...(request.spillDirectory === undefined ? {} : { spillDirectory: request.spillDirectory }),
    terminate: () => sandbox.terminate(),
    kill: () => sandbox.kill(),
  });
  if (sandbox.status.childPid !== undefined) await processGone(sandbox.status.childPid);
  if (group?.isUsed === true) unenforced.delete("processes");
  void group?.remove();
  if (waiting !== undefined) removeSoon(waiting.directory);
  removePlaceholders(directory);
  if (canWait) prepareNext(task, shape);
  const failure =
    refuseNewControlFiles(places, basename(directory)) ?? sandboxFailure(sandbox, end);
  return finishReceipt(withScriptEnd(sandbox, end), {
    sandbox: "bubblewrap",
    digest: prepared.snapshot.digest,
    command,
    unenforced: [...unenforced],
    durationMs: performance.now() - started,
    script: checked.script,
    interpreter: prepared.interpreter.name,
    timeoutMs: limits.timeoutMs,
    usesEnvironment: request.virtualEnvironment !== undefined,
    skillFiles: prepared.snapshot.files,
    ...(network === undefined ? {} : { network: network.uses() }),
    ...(failure === undefined ? {} : { failure }),
  });
}

function startNow(
  { request, directory }: BubblewrapTask,
  { plan, before, processes, filter }: SandboxShape,
  run: {
    readonly skill: string;
    readonly command: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  },
): Pick<WaitingSandbox, "sandbox" | "pipes"> & { readonly group?: ProcessCgroup } {
  const group = processes === undefined ? undefined : makeProcessCgroup(processes);
  const pipes = openOutputPipes(directory);
  const sandbox = startBubblewrap({
    pipes,
    ...(filter === undefined ? {} : { filter }),
    bubblewrap: trustedProgram("bwrap") ?? "",
    plan: { ...plan, skill: run.skill },
    command: [...before, ...run.command],
    env: run.env,
    hasInput: request.stdin !== undefined,
    onChild: async (pid) => group?.add(pid),
  });
  return { sandbox, pipes, ...(group === undefined ? {} : { group }) };
}

/** Soon, when nobody waits for it; not at all when the process ends before. */
function prepareNext({ slot }: BubblewrapTask, shape: SandboxShape): void {
  const timer = setTimeout(() => {
    // What goes wrong here goes wrong again, and is told, at the next run.
    void slot?.prepare(shape).catch(() => {});
  }, PREPARE_AFTER_MS);
  timer.unref();
}

function placesOf({
  request: { writable = [] },
  checked: { cwd },
}: BubblewrapTask): WritablePlaces | ExecutionFailure {
  // A fresh directory is all the script's own.
  if (cwd === undefined || writable.length === 0) return NO_PLACES;
  const active = activePlaceholders();
  return writablePlaces(cwd, writable, (path) => active.has(path));
}

export function processCount(limit: number): number {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  const [fromMajor, fromMinor] = COUNTED_BY_NAMESPACE;
  const isNew = major > fromMajor || (major === fromMajor && minor >= fromMinor);
  return isNew ? limit + 1 : limit + countOwnThreads();
}

/** Bubblewrap tells the exit code only of a script that ran. */
export function sandboxFailure(
  { status }: StartedSandbox,
  end: ChildEnd,
): ExecutionFailure | undefined {
  const wasStopped = end.timedOut || end.canceled || end.signal !== null;
  if (status.exitCode !== undefined || wasStopped || end.startError !== undefined) return undefined;
  const why = end.stderr.text.trim().split("\n").at(-1) ?? "";
  return executionFailure("sandbox-failed", `the sandbox could not be set up: ${why}`);
}

/** The end of the script, where bubblewrap itself ended otherwise. */
export function withScriptEnd({ status }: StartedSandbox, end: ChildEnd): ChildEnd {
  const exitCode = status.exitCode ?? end.exitCode;
  const number = (exitCode ?? 0) - 128;
  const [signal] = Object.entries(constants.signals).find(([, value]) => value === number) ?? [];
  return { ...end, exitCode, signal: end.signal ?? signal ?? null };
}
