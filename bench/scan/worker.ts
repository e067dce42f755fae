import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { diskCache, openSkills, type OpenSkillsOptions } from "@skillwright/core";
import { skillFiles } from "./skill-roots.ts";

type ScanCache = NonNullable<OpenSkillsOptions["cache"]>;

export interface WorkerResult {
  readonly skills: number;
  readonly milliseconds: number;
  /** Of these, what the main thread spent on a processor; unknown outside Linux. */
  readonly busy: number;
  /** Bytes that stay in use; only measured by the tasks that are about it. */
  readonly heap?: number;
}

export type Task = keyof typeof TASKS;

type Work = (root: string, cache: string, other?: string) => Promise<WorkerResult> | WorkerResult;

const READ_BYTES = 4096;
const PRACTICE_ROUNDS = 10;
const REGISTRIES = 500;
const CONVERSATIONS = 1000;

/** So that every round reads and parses. */
const FORGETFUL: ScanCache = {
  read: () => Promise.resolve(undefined),
  write: () => Promise.resolve(),
};

/** The registry stays reachable, not only its list. */
let kept: unknown;

const TASKS = {
  raw(root) {
    const files = skillFiles(root);
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    return timed(() => {
      for (const file of files) {
        const descriptor = openSync(file, "r");
        readSync(descriptor, buffer, 0, READ_BYTES, 0);
        closeSync(descriptor);
      }
      return files;
    });
  },
  stat(root) {
    const files = skillFiles(root);
    return timed(() => {
      for (const file of files) statSync(file);
      return files;
    });
  },
  cold: (root) => timed(() => open(root)),
  async repeated(root) {
    await open(root);
    return timed(() => open(root));
  },
  /** The code has run before, on other files: what it read then helps with none of these. */
  async practised(root, _cache, other) {
    if (other === undefined) throw new TypeError("practised needs another root");
    for (let i = 0; i < PRACTICE_ROUNDS; i++) await open(other, FORGETFUL);
    return timed(() => open(root));
  },
  warm: (root, cache) => timed(() => open(root, diskCache(cache))),
  async registries(root) {
    return timed(async () => {
      const registries = [];
      for (let i = 0; i < REGISTRIES; i++) registries.push(await openSkills({ roots: [root] }));
      kept = registries;
      return registries;
    });
  },
  async conversations(root) {
    const skills = await openSkills({ roots: [root] });
    skills.conversation().tools();
    return withHeap(async () => {
      const conversations = Array.from({ length: CONVERSATIONS }, () => skills.conversation());
      // Each has told its model what there is, and waits.
      for (const conversation of conversations) conversation.instructions();
      kept = conversations;
      return conversations;
    });
  },
  coldHeap: (root) => withHeap(() => open(root)),
  warmHeap: (root, cache) => withHeap(() => open(root, diskCache(cache))),
  async deepagents(root) {
    const { listSkills } = await import("deepagents");
    return timed(() => listSkills({ projectSkillsDir: root }));
  },
} satisfies Record<string, Work>;

const [task, root, cache, other] = process.argv.slice(2);
if (task === undefined || !(task in TASKS) || root === undefined || cache === undefined) {
  throw new TypeError("usage: worker <task> <root> <cache folder> [other root]");
}
console.log(JSON.stringify(await (TASKS[task as Task] as Work)(root, cache, other)));

async function open(folder: string, cache?: ScanCache): Promise<readonly unknown[]> {
  const known = cache === undefined ? undefined : { cache };
  const skills = await openSkills({ roots: [folder], ...known });
  kept = skills;
  return skills.all;
}

async function timed(
  operation: () => readonly unknown[] | Promise<readonly unknown[]>,
): Promise<WorkerResult> {
  const busy = busyTime();
  const start = performance.now();
  const skills = await operation();
  const milliseconds = performance.now() - start;
  return { milliseconds, busy: busyTime() - busy, skills: skills.length };
}

/** Milliseconds on a processor so far. Says more than the clock does while others are at work. */
function busyTime(): number {
  try {
    return Number.parseInt(readFileSync("/proc/thread-self/schedstat", "latin1")) / 1e6;
  } catch {
    return Number.NaN;
  }
}

async function withHeap(operation: () => Promise<readonly unknown[]>): Promise<WorkerResult> {
  const before = usedHeap();
  const result = await timed(operation);
  const heap = usedHeap() - before;
  if (kept === undefined) throw new Error("the registry was dropped before it was weighed");
  return { ...result, heap };
}

function usedHeap(): number {
  if (globalThis.gc === undefined) throw new Error("run with --expose-gc");
  for (let i = 0; i < 3; i++) globalThis.gc();
  return process.memoryUsage().heapUsed;
}
