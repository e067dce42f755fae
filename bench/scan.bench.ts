import { existsSync, rmSync } from "node:fs";
import { loadavg } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { check, checkFaster, checkRatio, showRatio } from "./scan/bars.ts";
import { bundleWorker } from "./scan/bundle-worker.ts";
import { checkList } from "./scan/check-list.ts";
import { type Measured, type Measurement, measureScan, runWorker } from "./scan/measure-scan.ts";
import { findOpenskills, PEERS } from "./scan/peers.ts";
import {
  type BenchProject,
  CACHE_FOLDER,
  flatProject,
  makeProject,
  removeProjects,
  treeProject,
} from "./scan/skill-roots.ts";

const COUNT = 15_000;
const SMALL_COUNT = 1500;
const SERVED_COUNT = 20;
const SEED = 1;
const ROUNDS = 11;

const BARS = {
  cold: 4,
  repeated: 3.5,
  warm: 2.5,
  fasterPeer: 2,
  parsingPeer: 8,
  growth: 1.3,
  heapKilobytes: 3,
  registriesMilliseconds: 1000,
  conversationKilobytes: 20,
};

/** The bundle of this file is in bench/node_modules/.cache. */
const BENCH = join(dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * Opens 15,000 generated skills with the library as it is published, beside what the file system allows
 * and what others do, each time in a fresh process. The skills stay in the temporary folder for the next
 * run unless SCAN_REMOVE is set. With folders of real skills, measures those instead.
 */
export async function run(folders: readonly string[] = []): Promise<void> {
  if (!existsSync(join(BENCH, "../packages/core/dist/index.js"))) {
    console.error("The library is not built. Run `npm run build` first.");
    process.exitCode = 4;
    return;
  }
  const worker = await bundleWorker(BENCH);
  rmSync(CACHE_FOLDER, { recursive: true, force: true });
  const results =
    folders.length === 0
      ? checkGenerated(worker)
      : folders.map((folder) => checkReal(worker, folder));
  if (process.env["SCAN_REMOVE"] !== undefined) removeProjects();
  if (!results.every(Boolean)) process.exitCode = 1;
}

function checkGenerated(worker: string): boolean[] {
  const large = makeProject(COUNT, SEED);
  const small = makeProject(SMALL_COUNT, SEED);
  const title = `${COUNT} generated skills, seed ${SEED}`;
  const measured = measure(worker, title, [
    ...measurementsOf(large),
    { name: "practised", task: "practised", project: large, other: small },
    { name: "cold small", task: "cold", project: small },
    { name: "warm small", task: "warm", project: small },
    ...peersOf(large),
  ]);
  return [
    checkSpeed(measured),
    checkGrowth("(b)", measured, "cold"),
    checkGrowth("(c)", measured, "warm"),
    checkHeap(worker, large),
    checkServers(worker, makeProject(SERVED_COUNT, SEED)),
    checkList(join(BENCH, ".."), SEED),
  ];
}

/** As they lie there, and side by side, where the peers find them. */
function checkReal(worker: string, folder: string): boolean {
  const tree = treeProject(folder);
  const asIs = measure(worker, `${tree.count} skills below ${folder}`, measurementsOf(tree));
  const treeOk = checkSpeed(asIs);
  const flat = flatProject(folder);
  const title = `\nthe same ${flat.count} SKILL.md side by side`;
  const measured = measure(worker, title, [...measurementsOf(flat), ...peersOf(flat)]);
  return checkSpeed(measured) && treeOk;
}

function measurementsOf(project: BenchProject): Measurement[] {
  const tasks = ["raw", "cold", "stat", "warm", "repeated"] as const;
  return tasks.map((task) => ({ name: task, task, project }));
}

function peersOf(project: BenchProject): Measurement[] {
  return (["openskills", "deepagents"] as const).map((task) => ({ name: task, task, project }));
}

function measure(
  worker: string,
  title: string,
  measurements: readonly Measurement[],
): Map<string, Measured | string> {
  for (const { task, project } of measurements) {
    if (task === "warm") runWorker(worker, "warm", project);
  }
  const peer = measurements.find(({ task }) => task === "openskills");
  const openskills = peer === undefined ? "" : findOpenskills(peer.project);
  const load = () => (loadavg()[0] ?? 0).toFixed(1);
  const before = load();
  const all = measureScan(measurements, { worker, openskills, rounds: ROUNDS });
  console.log(`${title}, medians of ${ROUNDS} rounds, load ${before} to ${load()}\n`);
  return new Map(measurements.map(({ name }, i) => [name, all[i] ?? "nothing was measured"]));
}

const ROWS: readonly (readonly [key: string, title: string])[] = [
  ["raw", "(a) open, read 4 KiB, close"],
  ["cold", "(b) openSkills, first"],
  ["repeated", "(b) openSkills, repeated"],
  ["warm", "(c) openSkills, disk index"],
  ["stat", "(d) stat sweep"],
  ["deepagents", `(e) ${PEERS.deepagents}`],
  ["openskills", `(e) ${PEERS.openskills}`],
  ["cold small", `(b) first, ${SMALL_COUNT} skills`],
  ["warm small", `(c) disk index, ${SMALL_COUNT} skills`],
  ["practised", "(b) repeated, nothing shared"],
];

function checkSpeed(measured: ReadonlyMap<string, Measured | string>): boolean {
  console.log("       ms     busy  process    found");
  for (const [key, title] of ROWS) {
    if (measured.has(key)) console.log(`${row(measured.get(key))}   ${title}`);
  }
  console.log("\nratios of the medians");
  const of = (key: string) => successOf(measured.get(key));
  const [raw, cold, repeated, warm, stat] = ["raw", "cold", "repeated", "warm", "stat"].map(of);
  if (!raw || !cold || !repeated || !warm || !stat) return false;
  const [deepagents, openskills, practised] = ["deepagents", "openskills", "practised"].map(of);
  const results = [
    checkTimes("(b) first / (a)", cold, raw, BARS.cold),
    checkTimes("(b) repeated / (a)", repeated, raw, BARS.repeated),
    checkTimes("(c) / (d)", warm, stat, BARS.warm),
    checkPeers(cold, deepagents, openskills),
  ];
  if (practised) showRatio("(b) repeated, nothing shared / (a)", practised, raw);
  for (const peer of [deepagents, openskills]) {
    if (!peer) continue;
    const { name } = peer;
    showRatio(`${name}, whole command / (b) whole process`, peer.process, cold.process);
  }
  return results.every(Boolean);
}

/** The bar is on the clock; the main thread's time is there to judge a busy machine's results. */
function checkTimes(name: string, times: Measured, base: Measured, bar: number): boolean {
  const busy = (times.busy.median / base.busy.median).toFixed(2);
  return checkRatio(`${name}   (busy ${busy})`, times, base, bar);
}

/** A peer that cannot be run is reported above, and no reason to fail. */
function checkPeers(
  cold: Measured,
  deepagents: Measured | undefined,
  openskills: Measured | undefined,
): boolean {
  const [faster] = [deepagents, openskills]
    .filter((peer) => peer !== undefined)
    .map((peer) => peer.process)
    .sort((a, b) => a.median - b.median);
  return [
    faster === undefined ||
      checkFaster(`${faster.name}, whole command / (b) first`, faster, cold, BARS.fasterPeer),
    deepagents === undefined ||
      checkFaster(
        "deepagents, whole command / (b) first",
        deepagents.process,
        cold,
        BARS.parsingPeer,
      ),
  ].every(Boolean);
}

function checkGrowth(
  name: string,
  measured: ReadonlyMap<string, Measured | string>,
  key: string,
): boolean {
  const large = successOf(measured.get(key));
  const small = successOf(measured.get(`${key} small`));
  if (!large || !small) return false;
  const linear = (small.median * COUNT) / SMALL_COUNT;
  const title = `${name} growth from ${SMALL_COUNT} to ${COUNT} / linear`;
  return check(title, large.median / linear, BARS.growth);
}

function checkHeap(worker: string, large: BenchProject): boolean {
  console.log("\nheap that stays in use, KB per skill");
  const results = (["coldHeap", "warmHeap"] as const).map((task) => {
    const { heap = Number.NaN } = runWorker(worker, task, large, { flags: ["--expose-gc"] });
    return check(
      task === "coldHeap" ? "(b) first" : "(c)",
      heap / COUNT / 1000,
      BARS.heapKilobytes,
    );
  });
  return results.every(Boolean);
}

/** What a server with many users pays: a registry for each project, a conversation for each user. */
function checkServers(worker: string, project: BenchProject): boolean {
  console.log(`\nservers, ${SERVED_COUNT} skills a registry`);
  const { milliseconds, skills: registries } = runWorker(worker, "registries", project);
  const { heap = Number.NaN, skills: conversations } = runWorker(worker, "conversations", project, {
    flags: ["--expose-gc"],
  });
  return [
    check(`${registries} registries, ms`, milliseconds, BARS.registriesMilliseconds),
    check("idle conversation, KB", heap / conversations / 1000, BARS.conversationKilobytes),
  ].every(Boolean);
}

function successOf(measured: Measured | string | undefined): Measured | undefined {
  return typeof measured === "string" ? undefined : measured;
}

function row(measured: Measured | string | undefined): string {
  if (measured === undefined || typeof measured === "string") return `failed: ${measured}`;
  const { median, busy, process, skills } = measured;
  const times = [
    median.toFixed(0),
    Number.isNaN(busy.median) ? "" : busy.median.toFixed(0),
    process.median.toFixed(0),
  ];
  return [...times, String(skills)].map((cell) => cell.padStart(9)).join("");
}
