import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ExecutionFailure } from "./executor.ts";
import { trustedProgram } from "./trusted-program.ts";
import { countOwnThreads, limitArguments } from "./limits.ts";
import type { RunPlaces } from "./prepare-run.ts";
import { coverDescriptors, killMarkedProcesses, RUN_MARKER, sendSignal } from "./processes.ts";
import type { Run, RunEnd, Sandbox } from "./run.ts";
import { openOutputPipes, superviseChild } from "./supervise-child.ts";

/** Nothing holds these back: no process of the same user can be kept from them. */
export const plainProcess: Sandbox = {
  name: "process",
  probe: () => Promise.resolve({ ok: true }),
  places: processPlaces,
  async run(run) {
    const ended = await runProcess(run, (command) => ({ ok: true, command }));
    if (!ended.ok) return ended;
    return { ...ended, unenforced: ["reads", "writable", "network", ...ended.unenforced] };
  },
};

export interface ProcessFolders {
  /** Private folders of the process. */
  readonly own: readonly string[];
  /** Where it starts. */
  readonly cwd: string;
}

type Wrapped = { readonly ok: true; readonly command: readonly string[] } | ExecutionFailure;

export function processPlaces(directory: string): RunPlaces {
  return { home: join(directory, "home"), temporary: join(directory, "tmp") };
}

/** Runs it as a process of this user, with the command that `wrap` makes. */
export async function runProcess(
  { request, checked, prepared, directory, context }: Run,
  wrap: (command: readonly string[], folders: ProcessFolders) => Wrapped | Promise<Wrapped>,
): Promise<RunEnd | ExecutionFailure> {
  const { limits } = checked;
  const { stdin } = request;
  const { home, temporary } = processPlaces(directory);
  const own = [home, temporary, join(directory, "work")];
  for (const folder of own) mkdirSync(folder, { mode: 0o700 });
  const cwd = checked.cwd ?? join(directory, "work");
  const mayCount = process.getuid?.() !== 0 && process.platform === "linux";
  const limited = limitArguments(
    limits,
    mayCount ? { count: limits.processes + countOwnThreads() } : undefined,
  );
  const wrapped = await wrap([...limited.args, ...prepared.command], { own, cwd });
  if (!wrapped.ok) return wrapped;
  const [program = "", ...args] = [...dieWithParent(), ...wrapped.command];
  const marker = randomUUID();
  const pipes = openOutputPipes(directory);
  const child = spawn(program, args, {
    cwd,
    env: { ...prepared.env, [RUN_MARKER]: marker },
    detached: true,
    stdio: [stdin === undefined ? "ignore" : "pipe", ...pipes.stdio, ...coverDescriptors(3)],
  });
  const signalGroup = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined) sendSignal(-child.pid, signal);
  };
  const end = await superviseChild(child, {
    ...context,
    pipes,
    timeoutMs: prepared.timeoutMs,
    outputBytes: limits.outputBytes,
    ...(stdin !== undefined && { stdin }),
    terminate: () => signalGroup("SIGTERM"),
    kill() {
      signalGroup("SIGKILL");
      killMarkedProcesses(marker);
    },
  });
  return { ok: true, end, unenforced: limited.unenforced };
}

/** The process ends when this one is killed; its own children may go on. */
function dieWithParent(): readonly string[] {
  const setpriv = process.platform === "linux" ? trustedProgram("setpriv") : undefined;
  return setpriv === undefined ? [] : [setpriv, "--pdeathsig", "KILL", "--"];
}
