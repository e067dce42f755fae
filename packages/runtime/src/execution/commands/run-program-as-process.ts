import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ExecutionReceipt } from "../executor.ts";
import { killMarkedProcesses, RUN_MARKER, sendSignal } from "../processes.ts";
import { countOwnThreads, limitArguments } from "../limits.ts";
import { dieWithParent } from "../run-as-process.ts";
import { coverDescriptors, openOutputPipes, superviseChild } from "../supervise-child.ts";
import { programEnvironment, programReceipt, type ProgramTask } from "../clean-environment.ts";

/** What no process of the same user can be kept from. */
const NOT_CONFINED = ["reads", "writable", "network"];

/** One program as a plain process of this user: nothing is hidden from it. */
export async function runProgramAsProcess(task: ProgramTask): Promise<ExecutionReceipt> {
  const { checked, directory, context } = task;
  const { program, args, limits, cwd } = checked;
  const started = performance.now();
  const [home = "", temporary = ""] = ["home", "tmp"].map((name) => join(directory, name));
  for (const folder of [home, temporary]) mkdirSync(folder, { mode: 0o700 });
  const mayCount = process.getuid?.() !== 0 && process.platform === "linux";
  const limited = limitArguments(
    limits,
    mayCount ? { count: limits.processes + countOwnThreads() } : undefined,
  );
  const marker = randomUUID();
  const pipes = openOutputPipes(directory);
  const [first = "", ...rest] = [...dieWithParent(), ...limited.args, program.program, ...args];
  const child = spawn(first, rest, {
    cwd,
    env: { ...programEnvironment({ home, temporary }), [RUN_MARKER]: marker },
    detached: true,
    stdio: ["ignore", ...pipes.stdio, ...coverDescriptors(3)],
  });
  const signalGroup = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined) sendSignal(-child.pid, signal);
  };
  const end = await superviseChild(child, {
    ...context,
    pipes,
    timeoutMs: limits.timeoutMs,
    outputBytes: limits.outputBytes,
    terminate: () => signalGroup("SIGTERM"),
    kill() {
      signalGroup("SIGKILL");
      killMarkedProcesses(marker);
    },
  });
  return programReceipt(end, task, {
    sandbox: "process",
    unenforced: [...NOT_CONFINED, ...limited.unenforced],
    durationMs: performance.now() - started,
  });
}
