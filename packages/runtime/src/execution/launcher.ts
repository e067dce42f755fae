import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Socket } from "node:net";
import { coverDescriptors } from "./inherited-descriptors.ts";
import { type OutputPipes, openOutputPipes } from "./output-pipes.ts";
import { makeProcessCgroup, type ProcessCgroup } from "./process-cgroup.ts";
import type { SandboxFiles } from "./sandbox-files.ts";
import { trustedProgram } from "./trusted-program.ts";

/** A process that waits for the command it will become. */
export interface Launcher {
  readonly child: ChildProcess;
  readonly pipes: OutputPipes;
  readonly group?: ProcessCgroup;
  readonly env: Readonly<Record<string, string>>;
  launch(command: readonly string[]): void;
}

export const STATUS_FD = 3;
export const BLOCK_FD = 4;
export const FILTER_FD = 5;

/** Takes its arguments from standard input, each ended by NUL, and becomes that command. */
const BECOME =
  'local $/; my @a = split /\\0/, scalar(<STDIN>), -1; pop @a; exit 1 unless @a; open STDIN, "<", "/dev/null"; exec { $a[0] } @a';

/**
 * Keeps one process ready. For root, the number of processes is limited by a group that a process
 * has to be moved to, which takes the kernel longer than all the rest: here it is done beforehand.
 */
export class LauncherSlot {
  #ready: Launcher | undefined;
  #isPreparing = false;

  /** Only when it is ready; nobody waits for it. */
  take(): Launcher | undefined {
    const launcher = this.#ready;
    this.#ready = undefined;
    if (launcher === undefined) return undefined;
    const { child } = launcher;
    if (child.exitCode !== null || child.signalCode !== null) {
      void launcher.group?.remove();
      launcher.pipes.started(child).forEach((stream) => stream?.destroy());
      launcher.pipes.done(false);
      return undefined;
    }
    for (const handle of handlesOf(child)) handle.ref();
    return launcher;
  }

  async prepare(runDirectory: string, files: SandboxFiles, env: Launcher["env"]): Promise<void> {
    if (this.#ready !== undefined || this.#isPreparing) return;
    const setpriv = trustedProgram("setpriv");
    const perl = trustedProgram("perl");
    if (setpriv === undefined || perl === undefined) return;
    this.#isPreparing = true;
    try {
      this.#ready = await startLauncher([setpriv, perl], runDirectory, files, env);
    } finally {
      this.#isPreparing = false;
    }
  }
}

async function startLauncher(
  [setpriv = "", perl = ""]: readonly string[],
  runDirectory: string,
  { filter }: SandboxFiles,
  env: Launcher["env"],
): Promise<Launcher | undefined> {
  const group = process.getuid?.() === 0 ? makeProcessCgroup(2) : undefined;
  const pipes = openOutputPipes(runDirectory);
  const filterEnd = filter === undefined ? undefined : openSync(filter, "r");
  const child = spawn(setpriv, ["--pdeathsig", "KILL", "--", perl, "-e", BECOME], {
    cwd: "/",
    env,
    detached: true,
    stdio: [
      "pipe",
      ...pipes.stdio,
      "pipe",
      "ignore",
      filterEnd ?? "ignore",
      ...coverDescriptors(FILTER_FD + 1),
    ],
  });
  if (filterEnd !== undefined) closeSync(filterEnd);
  // It must not keep this process from ending.
  for (const handle of handlesOf(child)) handle.unref();
  child.on("error", () => {});
  child.stdin?.on("error", () => {});
  try {
    if (child.pid !== undefined) await group?.add(child.pid);
  } catch {
    child.kill("SIGKILL");
  }
  return {
    child,
    pipes,
    ...(group === undefined ? {} : { group }),
    env,
    launch: (command) => void child.stdin?.end(command.map((part) => `${part}\0`).join("")),
  };
}

function handlesOf(child: ChildProcess): readonly { ref(): void; unref(): void }[] {
  const streams = child.stdio.filter((stream) => stream !== null && stream !== undefined);
  return [child, ...(streams as unknown as Socket[])];
}
