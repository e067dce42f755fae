import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { createBubblewrapExecutor } from "../packages/runtime/src/execution/bubblewrap-executor.ts";
import type { ExecutionRequest } from "../packages/runtime/src/execution/execution-request.ts";
import type { Executor } from "../packages/runtime/src/execution/executor.ts";
import { createProcessExecutor } from "../packages/runtime/src/execution/process-executor.ts";
import { type BenchSkill, makeBenchSkill } from "./exec/skill.ts";
import { watchMemory } from "./exec/watch-memory.ts";
import { median, type Times } from "./parse/measure-rounds.ts";
import { check, checkRatio, showRatio } from "./scan/bars.ts";

const ROUNDS = 30;
const WARM_UP_ROUNDS = 5;
const CONCURRENT = 200;
const CONCURRENT_TIMEOUT_MS = 20_000;
const MEBIBYTE = 1024 * 1024;

const BARS = { overMilliseconds: 9, overRatio: 1.8, memoryMebibytes: 64 };

/** The interpreter and its flags are those that the executors use. */
const PYTHON = ["/usr/bin/python3", "-E", "-s", "-B", "-u"];

/**
 * Runs a Python script that does nothing: by itself, and through our executors with snapshot, hash
 * and limits. Then many at once, and one that writes 2 GiB.
 */
export async function run(): Promise<void> {
  const skill = makeBenchSkill();
  try {
    const speed = await checkSpeed(skill);
    const many = await checkMany(skill);
    const flood = await checkFlood(skill);
    if (!speed || !many || !flood) process.exitCode = 1;
  } finally {
    skill.remove();
  }
}

async function checkSpeed(skill: BenchSkill): Promise<boolean> {
  const load = () => (loadavg()[0] ?? 0).toFixed(1);
  const before = load();
  const plain = await measureSpeed(skill);
  console.log(`medians of ${ROUNDS} runs in turns, load ${before} to ${load()}\n`);
  const [alone, process, bubblewrap] = plain;
  if (alone === undefined || process === undefined || bubblewrap === undefined) return false;
  for (const times of plain)
    console.log(`${times.median.toFixed(1).padStart(8)} ms   ${times.name}`);
  console.log("");
  showRatio("process / plain spawn", process, alone);
  const over = bubblewrap.median - alone.median;
  return [
    check("bubblewrap - plain spawn, ms", over, BARS.overMilliseconds),
    checkRatio("bubblewrap / plain spawn", bubblewrap, alone, BARS.overRatio),
  ].every(Boolean);
}

async function measureSpeed(skill: BenchSkill): Promise<readonly Times[]> {
  const executors: readonly Executor[] = [createProcessExecutor(), createBubblewrapExecutor()];
  const contenders = [
    {
      name: "plain spawn",
      start: () => spawnPlain(join(skill.path, "scripts/pass.py"), skill.cwd),
    },
    ...executors.map((executor, i) => ({
      name: i === 0 ? "our process executor" : "our bubblewrap executor",
      start: () => runOne(executor, requestOf(skill, "pass.py")),
    })),
  ];
  const rounds = contenders.map((): number[] => []);
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const [i, { start }] of contenders.entries()) {
      const started = performance.now();
      await start();
      if (round >= 0) rounds[i]?.push(performance.now() - started);
    }
  }
  return contenders.map(({ name }, i) => {
    const own = rounds[i] ?? [];
    return { name, rounds: own, median: median(own) };
  });
}

async function spawnPlain(script: string, cwd: string): Promise<void> {
  const [program = "", ...flags] = PYTHON;
  const env = { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" };
  const child = spawn(program, [...flags, script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.resume();
  child.stderr.resume();
  const [code] = (await once(child, "close")) as [number];
  if (code !== 0) throw new Error(`plain spawn ended with ${code}`);
}

/** Every twentieth sleeps longer than it may, so that timeouts are at work among the others. */
async function checkMany(skill: BenchSkill): Promise<boolean> {
  console.log(`\n${CONCURRENT} runs at once`);
  const executor = createBubblewrapExecutor();
  let lost = 0;
  let late = 0;
  const started = performance.now();
  const memory = await watchMemory(async () => {
    await Promise.all(
      Array.from({ length: CONCURRENT }, async (_, i) => {
        const isLong = i % 20 === 0;
        const limits = { timeoutMs: isLong ? 300 : CONCURRENT_TIMEOUT_MS };
        const request = requestOf(skill, "sleep.py", [isLong ? "60" : `0.${i}`], limits);
        const { stdout, timedOut, durationMs } = await executor.run(request);
        if (isLong ? !timedOut : stdout !== `0.${i}\n`) lost++;
        if (durationMs > limits.timeoutMs + 5000) late++;
      }),
    );
  });
  console.log(`${((performance.now() - started) / 1000).toFixed(1)} s in all`);
  return [
    check("runs lost", lost, 0),
    check("runs that outlived their timeout", late + survivors(skill), 0),
    check("memory, MiB more", memory / MEBIBYTE, BARS.memoryMebibytes),
  ].every(Boolean);
}

/** Processes that still have a script of the skill on their command line. */
function survivors(skill: BenchSkill): number {
  return readdirSync("/proc").filter((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "latin1");
      return command.includes("/skill/scripts/") && command.includes(skill.cwd);
    } catch {
      return false;
    }
  }).length;
}

async function checkFlood(skill: BenchSkill): Promise<boolean> {
  console.log("\n2 GiB of output");
  const executor = createBubblewrapExecutor();
  await runOne(executor, requestOf(skill, "pass.py"));
  const memory = await watchMemory(async () => {
    const started = performance.now();
    await runOne(executor, requestOf(skill, "flood.py"));
    console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
  });
  return check("memory, MiB more", memory / MEBIBYTE, BARS.memoryMebibytes);
}

async function runOne(executor: Executor, request: ExecutionRequest): Promise<void> {
  const { ok, failure, stderr } = await executor.run(request);
  if (!ok)
    throw new Error(`${failure?.code}: ${failure?.message} ${failure?.hint ?? ""} ${stderr}`);
}

function requestOf(
  { path, cwd }: BenchSkill,
  script: string,
  args: readonly string[] = [],
  limits: ExecutionRequest["limits"] = {},
): ExecutionRequest {
  return { skill: { name: "bench", path }, script, args, cwd, limits };
}
