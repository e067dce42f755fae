import { errorCode } from "@skillwright/core/internal";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { ResolvedLimits } from "./check-request.ts";
import { systemText } from "./child-process.ts";
import { trustedProgram } from "./find-program.ts";

interface LimitArguments {
  /** Stand before the command; empty when nothing can be limited. */
  readonly args: readonly string[];
  readonly unenforced: readonly string[];
}

/**
 * The command that limits the processes of a script. Memory is `RLIMIT_DATA`: Node reserves more
 * address space than any `RLIMIT_AS` would leave it. That does not count shared memory, which
 * therefore is never enforced. `RLIMIT_NPROC` does not bind root; without a number there is none.
 */
export function limitArguments(limits: ResolvedLimits, processes?: number): LimitArguments {
  const prlimit = trustedProgram("prlimit");
  const unlimited = ["sharedMemory", ...(processes === undefined ? ["processes"] : [])];
  if (prlimit === undefined) {
    const rest = ["memoryBytes", "cpuSeconds", "fileBytes", "openFiles", "processes"];
    return { args: [], unenforced: [...new Set([...unlimited, ...rest])] };
  }
  const hard = systemText("/proc/self/limits");
  // Raising a hard limit is refused, so ours is never above it.
  const most = (title: string, value: number) => {
    const limit = new RegExp(`^${title}\\s+\\S+\\s+(\\d+)`, "m").exec(hard)?.[1];
    return Math.min(value, Number(limit ?? value));
  };
  const cpu = most("Max cpu time", limits.cpuSeconds);
  const args = [
    prlimit,
    `--data=${most("Max data size", limits.memoryBytes)}`,
    // The signal of the soft limit can be ignored, the end at the hard one cannot.
    `--cpu=${cpu}:${most("Max cpu time", cpu + 1)}`,
    `--fsize=${most("Max file size", limits.fileBytes)}`,
    `--nofile=${most("Max open files", limits.openFiles)}`,
    "--core=0",
    ...(processes === undefined ? [] : [`--nproc=${most("Max processes", processes)}`]),
    "--",
  ];
  return { args, unenforced: unlimited };
}

/** Threads of this user, which `RLIMIT_NPROC` counts outside of a namespace. */
export function countOwnThreads(): number {
  const uid = process.getuid?.();
  let count = 0;
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    if (statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid !== uid) continue;
    const threads = /^Threads:\s*(\d+)/m.exec(systemText(`/proc/${pid}/status`))?.[1];
    count += Number(threads ?? 1);
  }
  return count;
}

const MOUNT = "/sys/fs/cgroup";
const PREFIX = "skillwright-";
const REMOVE_ATTEMPTS = 50;

let parent: string | undefined;
let count = 0;

/** A group of processes whose number the kernel limits, also for root. */
export class ProcessGroup {
  /**
   * Where a process writes 0 to join. That takes some 10 ms in version 2, and no time in version 1 for
   * a process with one thread.
   */
  readonly door: string;
  readonly #directory: string;

  /** A new group, or undefined where this user may not make one. */
  static make(limit: number): ProcessGroup | undefined {
    try {
      parent ??= findParent();
      const directory = join(parent, `${PREFIX}${process.pid}-${++count}`);
      mkdirSync(directory);
      try {
        writeFileSync(join(directory, "pids.max"), String(limit));
      } catch (error) {
        rmdirSync(directory);
        throw error;
      }
      return new ProcessGroup(directory);
    } catch {
      return undefined;
    }
  }

  private constructor(directory: string) {
    const tasks = join(directory, "tasks");
    this.door = existsSync(tasks) ? tasks : join(directory, "cgroup.procs");
    this.#directory = directory;
  }

  has(pid: number): boolean {
    return systemText(`/proc/${pid}/cgroup`).includes(`/${basename(this.#directory)}\n`);
  }

  /** Once it is empty; callers need not wait. */
  async remove(): Promise<void> {
    for (let attempt = 0; attempt < REMOVE_ATTEMPTS; attempt++) {
      if (tryRemove(this.#directory)) return;
      await setTimeout(10, undefined, { ref: false });
    }
  }
}

/** Version 1 has a separate tree for this; in version 2 a group with processes cannot have children. */
function findParent(): string {
  const text = readFileSync("/proc/self/cgroup", "utf8");
  const own = /^\d+:(?:[^:\n]*,)?pids(?:,[^:\n]*)?:(.*)$/m.exec(text)?.[1];
  const second = /^0::(.+)$/m.exec(text)?.[1] ?? "/";
  const found = own === undefined ? join(MOUNT, dirname(second)) : join(MOUNT, "pids", own);
  for (const name of readdirSync(found)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split("-")[0]) : 0;
    if (pid !== 0 && systemText(`/proc/${pid}/stat`) === "") tryRemove(join(found, name));
  }
  return found;
}

function tryRemove(directory: string): boolean {
  try {
    rmdirSync(directory);
    return true;
  } catch (error) {
    return errorCode(error) === "ENOENT";
  }
}
