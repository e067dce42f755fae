import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { trustedProgram } from "./trusted-program.ts";
import type { OutputPipes } from "./supervise-child.ts";
import { childrenOfProcess, coverDescriptors, sendSignal } from "./processes.ts";
import { bubblewrapArguments, type SandboxPlan } from "./sandbox-plan.ts";

const STATUS_FD = 3;
const BLOCK_FD = 4;
const FILTER_FD = 5;
const LIFE_FD = 6;

/** What bubblewrap tells about itself, apart from the script's own output. */
class BubblewrapStatus {
  /** The first process of the sandbox, whose end is the end of all others in it. */
  childPid: number | undefined;
  /** Absent when the script never ran. */
  exitCode: number | undefined;
  #text = "";

  constructor(child: ChildProcess, depth: number, onChild: (pid: number) => void) {
    const stream = child.stdio[STATUS_FD] as Readable | null | undefined;
    stream?.on("error", () => {});
    stream?.on("data", (chunk: Buffer) => {
      // The script cannot write here; a few lines are all there is.
      this.#text = (this.#text + chunk.toString("latin1")).slice(0, 4096);
      this.exitCode ??= this.#number("exit-code");
      if (this.childPid !== undefined) return;
      // In a view, bubblewrap counts processes of another namespace.
      const isThere = this.#number("child-pid") !== undefined;
      this.childPid = isThere ? descendantAt(child.pid ?? 0, depth) : undefined;
      if (this.childPid !== undefined) onChild(this.childPid);
    });
  }

  #number(key: string): number | undefined {
    const found = new RegExp(`"${key}": (\\d+)[^\\d]`).exec(this.#text)?.[1];
    return found === undefined ? undefined : Number(found);
  }
}

/**
 * Bubblewrap binds itself to its parent only after it was started, and its first process only after
 * the mounts are made: a parent that is killed in between would leave them behind. So a shell starts
 * it beside a watcher, which kills their process group once this process no longer holds the other
 * end of the pipe. Bubblewrap and its first process never leave that group. Where a signal ended
 * bubblewrap itself, such as SIGPIPE when its status is no longer read, its first process may
 * still wait for it: then the shell ends what is left of the group.
 */
const GUARD = `
unset PWD OLDPWD SHLVL _
if [ "$1" ]; then { echo 0 > "$1"; } 2>/dev/null; fi
shift
{ read -r _; kill -9 0; } <&${LIFE_FD} >/dev/null 2>&1 ${closed(STATUS_FD, BLOCK_FD, FILTER_FD, LIFE_FD)} &
"$@" ${LIFE_FD}>&-
code=$?
if [ $code -gt 128 ]; then
  for stat in /proc/[0-9]*/stat; do
    { read -r line < "$stat"; } 2>/dev/null || continue
    set -- \${line##*) }
    pid=\${stat#/proc/}
    pid=\${pid%/stat}
    if [ "$3" = $$ ] && [ $pid != $$ ]; then kill -9 $pid 2>/dev/null; fi
  done
fi
{ kill -9 $!; wait; } 2>/dev/null
exit $code`;

export interface StartOptions {
  readonly bubblewrap: string;
  readonly plan: SandboxPlan;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly hasInput: boolean;
  readonly pipes: OutputPipes;
  /** File with the filter of system calls. */
  readonly filter?: string;
  /** File by which the sandbox joins its control group. */
  readonly group?: string | undefined;
  /** Called with the first process of the sandbox before anything runs in it. Must not throw. */
  readonly onChild?: (pid: number) => Promise<unknown>;
}

export interface StartedSandbox {
  readonly child: ChildProcess;
  readonly status: BubblewrapStatus;
  terminate(): void;
  kill(): void;
}

/**
 * Starts a command in a sandbox. The clean environment is that of bubblewrap itself: what it would
 * only clear for the script, the script could read from its parent.
 */
export function startBubblewrap(options: StartOptions): StartedSandbox {
  const descriptors = {
    status: STATUS_FD,
    block: BLOCK_FD,
    ...(options.filter !== undefined && { filter: FILTER_FD }),
  };
  const session = trustedProgram("setsid");
  const command = session === undefined ? options.command : [session, ...options.command];
  const args = [...bubblewrapArguments(options.plan, descriptors, session !== undefined), "--"];
  const child = spawnBubblewrap([...args, ...command], options);
  const block = child.stdio[BLOCK_FD] as Writable | null | undefined;
  block?.on("error", () => {});
  const begin = async (pid: number) => {
    await options.onChild?.(pid);
    block?.end("x");
  };
  const depth = options.plan.view === undefined ? 2 : 3;
  const status = new BubblewrapStatus(child, depth, (pid) => void begin(pid));
  /** Only while bubblewrap lives is the number still that of its child. */
  const first = () => {
    const { childPid } = status;
    const isOurs = childPid !== undefined && descendantAt(child.pid ?? 0, depth) === childPid;
    return isOurs ? childPid : undefined;
  };
  return {
    child,
    status,
    terminate() {
      const pid = first();
      const scripts = pid === undefined ? [] : childrenOfProcess(pid);
      for (const script of scripts) sendSignal(script, "SIGTERM");
      if (scripts.length === 0) this.kill();
    },
    kill() {
      const pid = first();
      if (pid !== undefined) sendSignal(pid, "SIGKILL");
      else if (child.exitCode === null && child.signalCode === null) killGroup(child);
    },
  };
}

/**
 * The first process of the sandbox: the shell that guards it starts bubblewrap, by way of nsenter
 * where it joins a view, and bubblewrap has no other child. Counted in our namespace, where the
 * number that bubblewrap reports may mean nothing.
 */
function descendantAt(pid: number, depth: number): number | undefined {
  if (depth === 0) return pid;
  for (const child of childrenOfProcess(pid)) {
    const found = descendantAt(child, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Before it has reported the number of its child, that one waits for it and does not yet die with it; but
 * it is still in the group that `detached` made.
 */
function killGroup(child: ChildProcess): void {
  if (child.pid !== undefined) sendSignal(-child.pid, "SIGKILL");
  child.kill("SIGKILL");
}

function spawnBubblewrap(args: readonly string[], options: StartOptions): ChildProcess {
  const filter = options.filter === undefined ? undefined : openSync(options.filter, "r");
  const join = options.plan.view?.prefix ?? [];
  const guarded = [
    "-c",
    GUARD,
    "sandbox",
    options.group ?? "",
    ...join,
    options.bubblewrap,
    ...args,
  ];
  const child = spawn(trustedProgram("sh") ?? "/bin/sh", guarded, {
    env: options.env,
    cwd: "/",
    detached: true,
    stdio: [
      options.hasInput ? "pipe" : "ignore",
      ...options.pipes.stdio,
      "pipe",
      "pipe",
      filter ?? "ignore",
      "pipe",
      ...coverDescriptors(LIFE_FD + 1),
    ],
  });
  if (filter !== undefined) closeSync(filter);
  return child;
}

function closed(...descriptors: readonly number[]): string {
  return descriptors.map((descriptor) => `${descriptor}>&-`).join(" ");
}
