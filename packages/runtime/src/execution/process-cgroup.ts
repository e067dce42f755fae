import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** A group of processes whose number the kernel limits, also for root. */
export interface ProcessCgroup {
  /** Not at once: the kernel takes its time. Tells whether the process is in it. */
  add(pid: number): Promise<boolean>;
  /** Whether all that were to be in it are. */
  readonly isUsed: boolean;
  /** Once it is empty; nobody has to wait for that. */
  remove(): Promise<void>;
}

const MOUNT = "/sys/fs/cgroup";
const PREFIX = "skillwright-";
const REMOVE_ATTEMPTS = 50;

let parent: string | undefined;
let count = 0;

/** A new group, or undefined where this user may not make one. */
export function makeProcessCgroup(limit: number): ProcessCgroup | undefined {
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
    let isUsed = false;
    return {
      async add(pid) {
        const written = writeFile(join(directory, "cgroup.procs"), String(pid));
        isUsed = await written.then(isDone, isNotDone);
        return isUsed;
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

const isDone = () => true;
const isNotDone = () => false;

/** Version 1 has a tree of its own for this; in version 2 a group with processes has no children. */
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
