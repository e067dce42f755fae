import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { runAgent } from "../../packages/agent/src/run-agent.ts";
import type { RunStore } from "../../packages/agent/src/runs/run-store.ts";
import { median } from "../parse/measure-rounds.ts";
import type { BenchWorld } from "./bench-world.ts";
import { instantModel } from "./instant-model.ts";

/** Of one run: how long each step took, without the model. */
export async function measureSteps(
  { skills, tool }: BenchWorld,
  store: RunStore,
  steps: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  let answered = performance.now();
  const model = instantModel({
    steps,
    onAsked: () => times.push(performance.now() - answered),
    onAnswered: () => (answered = performance.now()),
  });
  const budget = { turns: steps + 10, toolCalls: steps + 10, tokens: 1e9 };
  const { status } = await runAgent({
    request: "look at all of it",
    skills,
    model,
    store,
    budget,
    tools: [tool],
  });
  if (status !== "answered") throw new Error(`the run ended as ${status}`);
  // The first one is the start of the run.
  return times.slice(1);
}

/** What it takes to make a line of a record survive a power failure, here and now. */
export function measureSync(folder: string, rounds = 30): number {
  const file = openSync(join(folder, "sync"), "w");
  const line = `${"x".repeat(1000)}\n`;
  const times = Array.from({ length: rounds }, () => {
    writeSync(file, line);
    const started = performance.now();
    fsyncSync(file);
    return performance.now() - started;
  });
  closeSync(file);
  return median(times);
}
