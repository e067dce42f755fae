import { runAgent } from "../../packages/agent/src/run-agent.ts";
import { watchMemory } from "../exec/watch-memory.ts";
import type { BenchWorld } from "./bench-world.ts";
import { instantModel } from "./instant-model.ts";

interface Many {
  /** Runs without an answer, or whose record does not have all of it. */
  readonly lost: number;
  readonly seconds: number;
  /** Most bytes that the process had. */
  readonly memory: number;
}

/** Many runs at once in this process, each with a record on the disk. */
export async function measureMany(world: BenchWorld, runs: number, steps: number): Promise<Many> {
  const { skills, tool } = world;
  const store = world.openStore();
  const answered: string[] = [];
  const before = process.memoryUsage.rss();
  const started = performance.now();
  const more = await watchMemory(async () => {
    await Promise.all(
      Array.from({ length: runs }, async (_, i) => {
        const { status, runId } = await runAgent({
          request: `work of kind ${i}`,
          skills,
          model: instantModel({ steps }),
          store,
          tools: [tool],
        });
        if (status === "answered") answered.push(runId);
      }),
    );
  });
  const seconds = (performance.now() - started) / 1000;
  let whole = 0;
  for (const runId of answered) {
    const records = await store.read(runId);
    const ended = records?.filter(({ event }) => event === "action-end").length;
    if (ended === steps && records?.at(-1)?.event === "run-end") whole++;
  }
  return { lost: runs - whole, seconds, memory: before + more };
}
