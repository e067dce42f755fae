import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { ResolvedLimits } from "./check-request.ts";
import { trustedProgram } from "./trusted-program.ts";

interface LimitArguments {
  /** Stand before the command; empty when nothing can be limited. */
  readonly args: readonly string[];
  readonly unenforced: readonly string[];
}

const SHARED_MEMORY = "sharedMemory";

/** Raising a hard limit is refused, so ours is never above it. */
const HARD_LIMITS: Readonly<Record<string, string>> = {
  data: "Max data size",
  cpu: "Max cpu time",
  fsize: "Max file size",
  nofile: "Max open files",
  nproc: "Max processes",
};

/**
 * The command that limits the processes of a script. Memory is `RLIMIT_DATA`: Node reserves more
 * address space than any `RLIMIT_AS` would leave it. That does not count shared memory, which
 * therefore is never enforced. `RLIMIT_NPROC` does not bind root.
 */
export function limitArguments(
  limits: ResolvedLimits,
  processes: { readonly count: number } | undefined,
): LimitArguments {
  const prlimit = trustedProgram("prlimit");
  if (prlimit === undefined) {
    const unenforced = ["memoryBytes", "cpuSeconds", "fileBytes", "openFiles", "processes"];
    return { args: [], unenforced: [SHARED_MEMORY, ...unenforced] };
  }
  const hard = hardLimits();
  const most = (name: string, value: number) => Math.min(value, hard.get(name) ?? value);
  const cpu = most("cpu", limits.cpuSeconds);
  const args = [
    prlimit,
    `--data=${most("data", limits.memoryBytes)}`,
    // The signal of the soft limit can be ignored, the end at the hard one cannot.
    `--cpu=${cpu}:${most("cpu", cpu + 1)}`,
    `--fsize=${most("fsize", limits.fileBytes)}`,
    `--nofile=${most("nofile", limits.openFiles)}`,
    "--core=0",
  ];
  if (processes !== undefined) args.push(`--nproc=${most("nproc", processes.count)}`);
  const unlimited = processes === undefined ? ["processes"] : [];
  return { args: [...args, "--"], unenforced: [SHARED_MEMORY, ...unlimited] };
}

/** Threads of this user, which `RLIMIT_NPROC` counts outside of a namespace. */
export function countOwnThreads(): number {
  const uid = process.getuid?.();
  let count = 0;
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      if (statSync(`/proc/${pid}`).uid !== uid) continue;
      const threads = /^Threads:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
      count += Number(threads ?? 1);
    } catch {
      // It ended meanwhile.
    }
  }
  return count;
}

let known: ReadonlyMap<string, number> | undefined;

function hardLimits(): ReadonlyMap<string, number> {
  known ??= readHardLimits();
  return known;
}

function readHardLimits(): ReadonlyMap<string, number> {
  try {
    const text = readFileSync("/proc/self/limits", "latin1");
    return new Map(
      Object.entries(HARD_LIMITS).flatMap(([name, title]) => {
        const hard = new RegExp(`^${title}\\s+\\S+\\s+(\\d+)`, "m").exec(text)?.[1];
        return hard === undefined ? [] : [[name, Number(hard)] as const];
      }),
    );
  } catch {
    return new Map();
  }
}

/** A group of processes whose number the kernel limits, also for root. */
interface ProcessCgroup {
  /** Where a process with one thread writes 0 to join without a wait; there is none in version 2. */
  readonly door: string | undefined;
  /** For a process that did not join through the door: the kernel takes some 10 ms to move another one. */
  add(pid: number): Promise<void>;
  /** Whether all that were to be in it are. */
  readonly isUsed: boolean;
  /** Once it is empty; callers need not wait. */
  remove(): Promise<void>;
}

const MOUNT = "/sys/fs/cgroup";
const PREFIX = "skillwright-";
const REMOVE_ATTEMPTS = 50;

let parent: string | undefined;
let count = 0;

/**
 * A new group, or undefined where this user may not make one. `helpers` counts the processes that are
 * in it besides the limited ones when the first of all joins by itself.
 */
export function makeProcessCgroup(limit: number, helpers: number): ProcessCgroup | undefined {
  try {
    parent ??= findParent();
    const directory = join(parent, `${PREFIX}${process.pid}-${++count}`);
    mkdirSync(directory);
    try {
      writeFileSync(join(directory, "pids.max"), String(limit + helpers));
    } catch (error) {
      rmdirSync(directory);
      throw error;
    }
    let isUsed = false;
    const door = join(directory, "tasks");
    return {
      door: existsSync(door) ? door : undefined,
      async add(pid) {
        isUsed = isIn(pid, basename(directory));
        if (isUsed) return;
        try {
          // Of the helpers only the process itself comes along.
          await writeFile(join(directory, "pids.max"), String(limit + 1));
          await writeFile(join(directory, "cgroup.procs"), String(pid));
          isUsed = true;
        } catch {
          // The receipt says that it is not limited.
        }
      },
      get isUsed() {
        return isUsed;
      },
      remove: () => removeGroup(directory),
    };
  } catch {
    return undefined;
  }
}

function isIn(pid: number, group: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cgroup`, "latin1").includes(`/${group}\n`);
  } catch {
    return false;
  }
}

/** Version 1 has a separate tree for this; in version 2 a group with processes cannot have children. */
function findParent(): string {
  const lines = readFileSync("/proc/self/cgroup", "utf8").split("\n");
  const first = lines.map((line) => /^\d+:(?:[^:]*,)?pids(?:,[^:]*)?:(.*)$/.exec(line)?.[1]);
  const own = first.find((path) => path !== undefined);
  const second = lines.map((line) => /^0::(.*)$/.exec(line)?.[1]).find((path) => path);
  const found = own === undefined ? join(MOUNT, dirname(second ?? "/")) : join(MOUNT, "pids", own);
  removeStaleGroups(found);
  return found;
}

function removeStaleGroups(directory: string): void {
  for (const name of readdirSync(directory)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split("-")[0]) : 0;
    if (pid === 0) continue;
    try {
      process.kill(pid, 0);
    } catch {
      tryRemove(join(directory, name));
    }
  }
}

async function removeGroup(directory: string): Promise<void> {
  for (let attempt = 0; attempt < REMOVE_ATTEMPTS && !tryRemove(directory); attempt++) {
    await setTimeout(10, undefined, { ref: false });
  }
}

function tryRemove(directory: string): boolean {
  try {
    rmdirSync(directory);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}
