import { loadavg } from "node:os";
import { createMemoryStore } from "../packages/agent/src/runs/run-store.ts";
import { type BenchWorld, openBenchWorld } from "./agent/bench-world.ts";
import { measureMany } from "./agent/measure-many.ts";
import { measureSteps, measureSync } from "./agent/measure-steps.ts";
import { median } from "./parse/measure-rounds.ts";
import { check } from "./scan/bars.ts";

const STEPS = 100;
const LONG = 200;
const ROUNDS = 5;
const WARM_UP_ROUNDS = 3;
const RUNS = 1000;
const RUN_STEPS = 10;
const MEBIBYTE = 1024 * 1024;

/** A step may also take what two syncs take; growth is that of a line through nothing. */
const BARS = { stepMilliseconds: 0.4, memoryMebibytes: 400, growth: 7 };

/**
 * What the loop itself costs: a model and a tool that answer at once, with every event recorded. Then
 * a long run, whose conversation grows, and a thousand runs at once.
 */
export async function run(): Promise<void> {
  const world = await openBenchWorld();
  try {
    const steps = await checkSteps(world);
    const growth = await checkGrowth(world);
    const many = await checkMany(world);
    if (!steps || !growth || !many) process.exitCode = 1;
  } finally {
    world.remove();
  }
}

async function checkSteps(world: BenchWorld): Promise<boolean> {
  const memory: number[] = [];
  const files: number[] = [];
  const store = world.openStore();
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const inMemory = await measureSteps(world, createMemoryStore(), STEPS);
    const onDisk = await measureSteps(world, store, STEPS);
    if (round < 0) continue;
    memory.push(...inMemory);
    files.push(...onDisk);
  }
  const sync = measureSync(world.folder);
  const load = (loadavg()[0] ?? 0).toFixed(1);
  console.log(`${ROUNDS * STEPS} steps, load ${load}; a sync takes ${sync.toFixed(2)} ms\n`);
  const { stepMilliseconds } = BARS;
  return [
    check("a step in memory, ms median", median(memory), stepMilliseconds),
    check("a step on the disk, ms median", median(files), stepMilliseconds + 2 * sync),
  ].every(Boolean);
}

async function checkGrowth(world: BenchWorld): Promise<boolean> {
  const quarter = LONG / 4;
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const times = await measureSteps(world, world.openStore(), LONG);
    rounds.push({ first: median(times.slice(0, quarter)), last: median(times.slice(-quarter)) });
  }
  const first = median(rounds.map((round) => round.first));
  const last = median(rounds.map((round) => round.last));
  console.log(
    `\nof ${LONG} steps: first quarter ${first.toFixed(3)} ms, last ${last.toFixed(3)} ms`,
  );
  return check("last quarter / first quarter", last / first, BARS.growth);
}

async function checkMany(world: BenchWorld): Promise<boolean> {
  console.log(`\n${RUNS} runs of ${RUN_STEPS} steps at once`);
  const { lost, seconds, memory } = await measureMany(world, RUNS, RUN_STEPS);
  console.log(`${seconds.toFixed(1)} s in all`);
  return [
    check("runs lost", lost, 0),
    check("memory of the process, MiB", memory / MEBIBYTE, BARS.memoryMebibytes),
  ].every(Boolean);
}
