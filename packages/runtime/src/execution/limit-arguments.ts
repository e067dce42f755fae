import { readdirSync, readFileSync, statSync } from "node:fs";
import type { ResolvedLimits } from "./execution-limits.ts";
import { trustedProgram } from "./trusted-program.ts";

export interface LimitArguments {
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
