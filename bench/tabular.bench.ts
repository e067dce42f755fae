import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, statSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { median, type Times } from "./parse/measure-rounds.ts";
import { check, checkRatio } from "./scan/bars.ts";
import { makeTable } from "./tabular/make-table.ts";

const { TABULAR_MEGABYTES = "1000", TABULAR_ROUNDS = "1" } = process.env;
const BYTES = Number(TABULAR_MEGABYTES) * 1e6;
const ROUNDS = Number(TABULAR_ROUNDS);
const BARS = { memoryMebibytes: 200, ratio: 3 };
const HERE = dirname(fileURLToPath(import.meta.url));
const BENCH = join(HERE, "../..");
const PROFILE = join(BENCH, "../skills/tabular-data/scripts/profile.mjs");

/** What a process needed at most. The usual number would count what its parent needed, too. */
const REPORT_PEAK = `import { readFileSync, existsSync } from "node:fs";
  process.on("exit", () => {
    const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
    console.error(/VmHWM:\\s*(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS);
  });`;

/**
 * Profiles a CSV file of 1 GB (TABULAR_MEGABYTES says otherwise) with the skill tabular-data, beside
 * `wc -l` and a parse with csv-parse, each in a fresh process, in turns.
 */
export async function run(): Promise<void> {
  const { bavail, bsize } = statfsSync(tmpdir());
  if (bavail * bsize < BYTES * 1.2) {
    console.error(`There is no room for ${TABULAR_MEGABYTES} MB in ${tmpdir()}.`);
    process.exitCode = 4;
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "tabular-bench-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    const file = join(folder, "table.csv");
    const { rows } = makeTable(file, BYTES);
    console.log(
      `${rows} rows, ${statSync(file).size} bytes, load ${(loadavg()[0] ?? 0).toFixed(1)}\n`,
    );
    if (!measure(file, rows, await bundleWorker())) process.exitCode = 1;
  } finally {
    remove();
  }
}

function measure(file: string, rows: number, worker: string): boolean {
  const times = { lines: [] as number[], parse: [] as number[], profile: [] as number[] };
  const peaks: number[] = [];
  // Once without counting, so that the file is in the memory of the system for all.
  timed("wc", ["-l", file]);
  for (let round = 0; round < ROUNDS; round++) {
    times.lines.push(timed("wc", ["-l", file]).milliseconds);
    const parsed = timed(process.execPath, [worker, file]);
    const peak = ["--import", `data:text/javascript,${encodeURIComponent(REPORT_PEAK)}`];
    const profiled = timed(process.execPath, [...peak, PROFILE, file]);
    if (
      Number(parsed.stdout) !== rows + 1 ||
      !profiled.stdout.includes(`: ${rows} rows, 8 columns`)
    ) {
      throw new Error(`there are ${rows} rows, not: ${parsed.stdout}${profiled.stdout}`);
    }
    times.parse.push(parsed.milliseconds);
    times.profile.push(profiled.milliseconds);
    peaks.push(Number(profiled.stderr) / 1024);
  }
  const lines = timesOf("wc -l", times.lines);
  const parse = timesOf("csv-parse, streaming", times.parse);
  const both = times.lines.map((time, i) => time + (times.parse[i] ?? 0));
  const base = timesOf("wc -l and csv-parse", both);
  const profile = timesOf("our profile", times.profile);
  for (const one of [lines, parse, base, profile]) show(one);
  const isFast = checkRatio("profile / (wc -l and csv-parse)", profile, base, BARS.ratio);
  const isSmall = check("peak memory of profile, MiB", Math.max(...peaks), BARS.memoryMebibytes);
  return isFast && isSmall;
}

function timed(command: string, args: readonly string[]) {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  const milliseconds = performance.now() - started;
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`);
  return { milliseconds, stdout, stderr };
}

function timesOf(name: string, rounds: readonly number[]): Times {
  return { name, rounds, median: median(rounds) };
}

function show({ name, median: middle }: Times): void {
  const speed = (BYTES / 1000 / middle).toFixed(0);
  console.log(`${middle.toFixed(0).padStart(8)} ms   ${speed.padStart(6)} MB/s   ${name}`);
}

async function bundleWorker(): Promise<string> {
  const bundle = await rolldown({
    input: { worker: join(BENCH, "tabular/worker.ts") },
    platform: "node",
    external: ["csv-parse"],
    logLevel: "silent",
  });
  const dir = join(HERE, "tabular");
  await bundle.write({ dir, format: "esm" });
  await bundle.close();
  return join(dir, "worker.js");
}
