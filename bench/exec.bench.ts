import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { createBubblewrapExecutor } from "../packages/runtime/src/execution/create-executor.ts";
import { openGatedRuns } from "./exec/gated-runs.ts";
import { measureSpeed, ROUNDS } from "./exec/measure-speed.ts";
import { measureView } from "./exec/measure-view.ts";
import { type BenchSkill, makeBenchSkill } from "./exec/skill.ts";
import { watchMemory } from "./exec/watch-memory.ts";
import type { Times } from "./parse/measure-rounds.ts";
import { check, showRatio } from "./scan/bars.ts";

const CONCURRENT = 200;
const TIMEOUT_MS = 20_000;
const SHORT_TIMEOUT_MS = 300;
/** From the request to end to the end, on a busy machine. */
const GRACE_MS = 5000;
const FLOOD_BYTES = 2 * 1024 ** 3;
const FOLLOWED_BYTES = 128 * 1024 ** 2;
const FLOOD_TIMEOUT_MS = 5 * 60_000;
const MEBIBYTE = 1024 * 1024;

const BARS = {
  viewMilliseconds: 15,
  collectMilliseconds: 10,
  largeRatio: 1.5,
  memoryMebibytes: 64,
};

/**
 * Runs a Python script that does nothing: by itself, and as a model's call does, with snapshot, hash,
 * policy, limits and record. Then many at once, and one that writes 2 GiB.
 */
export async function run(): Promise<void> {
  const skill = makeBenchSkill();
  try {
    const speed = await checkSpeed(skill);
    const view = await checkView();
    const many = await checkMany(skill);
    const flood = await checkFlood(skill);
    if (!speed || !view || !many || !flood) process.exitCode = 1;
  } finally {
    skill.remove();
  }
}

async function checkSpeed(skill: BenchSkill): Promise<boolean> {
  const load = () => (loadavg()[0] ?? 0).toFixed(1);
  const before = load();
  const { plain, process, bubblewrap, view, peer } = await measureSpeed(skill);
  console.log(`medians of ${ROUNDS} runs in turns, load ${before} to ${load()}\n`);
  for (const times of [plain, process, bubblewrap, view]) show(times);
  if ("missing" in peer) console.log(`       –      sandbox-runtime: ${peer.missing}`);
  else show(peer);
  console.log("");
  showRatio("process / plain spawn", process, plain);
  if (!("missing" in peer)) showRatio("sandbox-runtime / plain spawn", peer, plain);
  showRatio("bubblewrap / plain spawn", bubblewrap, plain);
  const over = view.median - plain.median;
  return check("with a view - plain spawn, ms", over, BARS.viewMilliseconds);
}

/** What a view costs once per run, and what is changed in it. */
async function checkView(): Promise<boolean> {
  const { open, openLarge, collect, collectNone } = await measureView();
  console.log(`\n${open.toFixed(1).padStart(8)} ms   opening a view, once per run`);
  console.log(`${openLarge.toFixed(1).padStart(8)} ms   the same of a folder with 5 GB`);
  return [
    check("collecting 100 changes, ms more", collect - collectNone, BARS.collectMilliseconds),
    check("opening with 5 GB / without", openLarge / open, BARS.largeRatio),
  ].every(Boolean);
}

function show({ name, median }: Times): void {
  console.log(`${median.toFixed(1).padStart(8)} ms   ${name}`);
}

/** Every twentieth sleeps longer than it may, so that timeouts are at work among the others. */
async function checkMany(skill: BenchSkill): Promise<boolean> {
  console.log(`\n${CONCURRENT} runs at once`);
  const shared = { executor: createBubblewrapExecutor(), sandbox: "bubblewrap" };
  const short = await openGatedRuns(skill, { ...shared, limits: { timeoutMs: SHORT_TIMEOUT_MS } });
  const usual = await openGatedRuns(skill, { ...shared, limits: { timeoutMs: TIMEOUT_MS } });
  const marker = `bench-${process.pid}-${Date.now()}`;
  let lost = 0;
  const started = performance.now();
  const memory = await watchMemory(async () => {
    await Promise.all(
      Array.from({ length: CONCURRENT }, async (_, i) => {
        const isLong = i % 20 === 0;
        const seconds = isLong ? "60" : `0.${i}`;
        const { ok, text } = await (isLong ? short : usual).run("sleep.py", [seconds, marker]);
        if (isLong ? ok : text !== `${seconds}\n`) lost++;
      }),
    );
  });
  console.log(`${((performance.now() - started) / 1000).toFixed(1)} s in all`);
  const ended = await short.close();
  const others = await usual.close();
  lost += CONCURRENT - ended.length - others.length;
  lost += ended.filter(({ timedOut }) => !timedOut).length;
  const late = [
    ...ended.filter(({ durationMs }) => durationMs > SHORT_TIMEOUT_MS + GRACE_MS),
    ...others.filter(({ durationMs }) => durationMs > TIMEOUT_MS + GRACE_MS),
  ];
  return [
    check("runs lost", lost, 0),
    check("runs that outlived their timeout", late.length + survivors(marker), 0),
    check("memory, MiB more", memory / MEBIBYTE, BARS.memoryMebibytes),
  ].every(Boolean);
}

/** Processes that still have the marker on their command line. */
function survivors(marker: string): number {
  return readdirSync("/proc").filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(marker);
    } catch {
      return false;
    }
  }).length;
}

/** The second with somebody who follows, so that every byte is looked at for secrets on its way. */
async function checkFlood(skill: BenchSkill): Promise<boolean> {
  console.log(`\n${FLOOD_BYTES / MEBIBYTE} MiB of output`);
  const isBounded = await checkOneFlood(skill, FLOOD_BYTES);
  console.log(`\n${FOLLOWED_BYTES / MEBIBYTE} MiB of output that somebody follows`);
  let followed = 0;
  const isFollowed = await checkOneFlood(skill, FOLLOWED_BYTES, (text) => {
    followed += text.length;
  });
  return [
    isBounded,
    isFollowed,
    check("bytes that nobody saw", FOLLOWED_BYTES - followed, 0),
  ].every(Boolean);
}

async function checkOneFlood(
  skill: BenchSkill,
  bytes: number,
  onOutput?: (text: string) => void,
): Promise<boolean> {
  const runs = await openGatedRuns(skill, {
    executor: createBubblewrapExecutor(),
    sandbox: "bubblewrap",
    limits: { timeoutMs: FLOOD_TIMEOUT_MS },
    ...(onOutput && { onOutput }),
  });
  const first = await runs.run("pass.py");
  if (!first.ok) throw new Error(first.text);
  const memory = await watchMemory(async () => {
    const started = performance.now();
    const { ok, text } = await runs.run("flood.py", [String(bytes)]);
    if (!ok) throw new Error(text);
    console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
  });
  await runs.close();
  return check("memory, MiB more", memory / MEBIBYTE, BARS.memoryMebibytes);
}
