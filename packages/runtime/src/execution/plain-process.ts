import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ExecutionFailure } from "./execution-failure.ts";
import { countOwnThreads, limitArguments } from "./check-request.ts";
import {
  killMarkedProcesses,
  RUN_MARKER,
  sendSignal,
  startChild,
  superviseChild,
} from "./child-process.ts";
import type { Run, RunEnd, RunPlaces, Sandbox } from "./run.ts";
import { trustedProgram } from "./find-program.ts";

/** Nothing holds these back: no process of the same user can be kept from them. */
export const plainProcess: Sandbox = {
  name: "process",
  probe: () => Promise.resolve({ ok: true }),
  places: processPlaces,
  async run(run) {
    const ended = await runProcess(run, (command) => command);
    if (!ended.ok) return ended;
    return { ...ended, unenforced: ["reads", "writable", "network", ...ended.unenforced] };
  },
};

interface ProcessFolders {
  /** Private folders of the process. */
  readonly own: readonly string[];
  /** Where it starts. */
  readonly cwd: string;
}

type Command = readonly string[];

export function processPlaces(directory: string): RunPlaces {
  return { home: join(directory, "home"), temporary: join(directory, "tmp") };
}

/** Runs it as a process of this user, with the command that `wrap` makes. */
export async function runProcess(
  { request, limits, directory, context, env, timeoutMs, ...run }: Run,
  wrap: (
    command: Command,
    folders: ProcessFolders,
  ) => Command | Promise<Command | ExecutionFailure>,
): Promise<RunEnd | ExecutionFailure> {
  const { home, temporary } = processPlaces(directory);
  const work = join(directory, "work");
  const own = [home, temporary, work];
  for (const folder of own) mkdirSync(folder, { mode: 0o700 });
  const cwd = run.cwd ?? work;
  const mayCount = process.getuid?.() !== 0 && process.platform === "linux";
  const processes = mayCount ? limits.processes + countOwnThreads() : undefined;
  const { args, unenforced } = limitArguments(limits, processes);
  const command = await wrap([...args, ...run.command], { own, cwd });
  if ("code" in command) return command;
  const marker = randomUUID();
  const { stdin } = request;
  const started = startChild([...dieWithParent(), ...command], {
    cwd,
    env: { ...env, [RUN_MARKER]: marker },
    hasInput: stdin !== undefined,
    directory,
  });
  const signalGroup = (signal: NodeJS.Signals) => {
    const { pid } = started.child;
    if (pid !== undefined) sendSignal(-pid, signal);
  };
  const end = await superviseChild(started, {
    ...context,
    timeoutMs,
    outputBytes: limits.outputBytes,
    stdin,
    terminate: () => signalGroup("SIGTERM"),
    kill() {
      signalGroup("SIGKILL");
      killMarkedProcesses(marker);
    },
  });
  return { ok: true, end, unenforced };
}

/** The process ends when this one is killed; its own children may go on. */
function dieWithParent(): Command {
  const setpriv = process.platform === "linux" ? trustedProgram("setpriv") : undefined;
  return setpriv === undefined ? [] : [setpriv, "--pdeathsig", "KILL", "--"];
}
