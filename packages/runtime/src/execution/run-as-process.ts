import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RunTask } from "./run-task.ts";
import {
  type ExecutionFailure,
  type ExecutionReceipt,
  type ExecutorOptions,
  refusedReceipt,
} from "./executor.ts";
import { cleanEnvironment } from "./clean-environment.ts";
import { finishReceipt } from "./finish-receipt.ts";
import { killMarkedProcesses, RUN_MARKER, sendSignal } from "./processes.ts";
import { countOwnThreads, limitArguments } from "./limits.ts";
import { commandOf, prepareRun, pythonPathOf } from "./prepare-run.ts";
import { coverDescriptors, openOutputPipes, superviseChild } from "./supervise-child.ts";
import { trustedProgram } from "./find-program.ts";

/** What holds a process back from what its user may do. */
export interface Confinement {
  readonly sandbox: ExecutionReceipt["sandbox"];
  /** What it cannot hold. */
  readonly unenforced: readonly string[];
  /** The command that runs the given one held back. */
  wrap(
    command: readonly string[],
    places: { readonly readable: readonly string[]; readonly writable: readonly string[] },
  ): Promise<{ readonly ok: true; readonly command: readonly string[] } | ExecutionFailure>;
  /** Called once, when everything has ended or nothing started. */
  finish(): Promise<Pick<ExecutionReceipt, "failure" | "network">>;
}

/** No process of the same user can be kept from these. */
const NOT_CONFINED: Confinement = {
  sandbox: "process",
  unenforced: ["reads", "writable", "network"],
  wrap: (command) => Promise.resolve({ ok: true, command }),
  finish: () => Promise.resolve({}),
};

/** One run, from the snapshot to the receipt. */
export async function runAsProcess(
  task: RunTask<ExecutorOptions>,
  confinement: Confinement = NOT_CONFINED,
): Promise<ExecutionReceipt> {
  let receipt: ExecutionReceipt | undefined;
  try {
    receipt = await runConfined(task, confinement);
  } finally {
    const found = await confinement.finish();
    if (receipt !== undefined) {
      receipt = { ...receipt, ...found, ok: receipt.ok && found.failure === undefined };
    }
  }
  return receipt;
}

async function runConfined(
  task: RunTask<ExecutorOptions>,
  confinement: Confinement,
): Promise<ExecutionReceipt> {
  const { request, checked, directory, context, options } = task;
  const { limits } = checked;
  const refuse = (failure: ExecutionFailure) => refusedReceipt(confinement.sandbox, failure);
  const started = performance.now();
  const prepared = await prepareRun(request, checked, directory, {
    ...options,
    signal: context.signal,
  });
  if (!prepared.ok) return refuse(prepared);
  const { snapshot, typescript } = prepared;
  const folders = ["home", "tmp", "work"].map((name) => join(directory, name));
  for (const folder of folders) mkdirSync(folder, { mode: 0o700 });
  const [home = "", temporary = "", fresh = ""] = folders;
  const { name: skillName } = request.skill;
  const environment = cleanEnvironment(
    {
      home,
      temporary,
      skillDirectory: snapshot.directory,
      skillName,
      pythonPath: pythonPathOf(prepared, snapshot.directory),
    },
    request.env,
  );
  if (!environment.ok) return refuse(environment);

  const isRoot = process.getuid?.() === 0;
  const isLinux = process.platform === "linux";
  const limited = limitArguments(
    limits,
    isRoot || !isLinux ? undefined : { count: limits.processes + countOwnThreads() },
  );
  const command = commandOf(prepared, checked, request.args, {
    skill: snapshot.directory,
    ...(typescript === undefined ? {} : { typescript }),
  });
  const confined = await confinement.wrap([...limited.args, ...command], {
    readable: [directory, ...prepared.interpreter.binds, checked.cwd ?? fresh],
    writable: folders,
  });
  if (!confined.ok) return refuse(confined);
  const [program = "", ...args] = [...dieWithParent(), ...confined.command];
  const marker = randomUUID();
  const pipes = openOutputPipes(directory);
  const child = spawn(program, args, {
    cwd: checked.cwd ?? fresh,
    env: { ...environment.env, [RUN_MARKER]: marker },
    detached: true,
    stdio: [
      request.stdin === undefined ? "ignore" : "pipe",
      ...pipes.stdio,
      ...coverDescriptors(3),
    ],
  });
  const signalGroup = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined) sendSignal(-child.pid, signal);
  };
  const end = await superviseChild(child, {
    ...context,
    pipes,
    timeoutMs: prepared.timeoutMs,
    outputBytes: limits.outputBytes,
    ...(request.stdin === undefined ? {} : { stdin: request.stdin }),
    ...(request.spillDirectory === undefined ? {} : { spillDirectory: request.spillDirectory }),
    terminate: () => signalGroup("SIGTERM"),
    kill() {
      signalGroup("SIGKILL");
      killMarkedProcesses(marker);
    },
  });
  return finishReceipt(end, {
    sandbox: confinement.sandbox,
    digest: snapshot.digest,
    command,
    unenforced: [...confinement.unenforced, ...limited.unenforced],
    durationMs: performance.now() - started,
    script: checked.script,
    interpreter: prepared.interpreter.name,
    timeoutMs: limits.timeoutMs,
    usesEnvironment: request.virtualEnvironment !== undefined,
    skillFiles: snapshot.files,
  });
}

/** So that the script itself ends when this process is killed; its own children may go on. */
export function dieWithParent(): readonly string[] {
  const setpriv = process.platform === "linux" ? trustedProgram("setpriv") : undefined;
  return setpriv === undefined ? [] : [setpriv, "--pdeathsig", "KILL", "--"];
}
