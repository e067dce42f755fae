import { statSync } from "node:fs";
import { join } from "node:path";
import { loadavg } from "node:os";
import { htmlReport } from "../packages/evals/src/report/html/html-report.ts";
import { summarize } from "../packages/evals/src/summary/summarize.ts";
import { exampleRun } from "./eval-report/example-run.ts";
import { measureReport, printReportMeasures } from "./eval-report/measure-report.ts";
import { type MeasuredEval, measureEval } from "./evals/measure-eval.ts";
import { createMockWorld } from "./evals/mock-world.ts";
import { check } from "./scan/bars.ts";

const FEW = 1000;
const MANY = 10_000;
/** Of a thousand cases, a hundred times: what is in memory for each trial shows. */
const TRIALS = 100;
const REPORTED = 2000;
const MEBIBYTE = 1024 * 1024;

/** Per case: 500 in a second. Growth of 1 is a line; of ten times the cases only the cases themselves are in memory. */
const BARS = {
  millisecondsPerCase: 1000 / 500,
  growth: 1.2,
  memoryGrowth: 1.5,
  mebibytes: 300,
  reportMebibytes: 15,
  largeReportMegabytes: 20,
};

/**
 * The built command line from start to end, with journal, results and verdict: cases whose decisions are
 * given, and for comparison the offline model, which decides itself.
 */
export async function run(): Promise<void> {
  console.log(`load ${(loadavg()[0] ?? 0).toFixed(1)}\n`);
  const few = await measured("mock", { cases: FEW });
  const many = await measured("mock", { cases: MANY });
  const repeated = await measured("mock", { cases: FEW, trials: TRIALS });
  await measured("offline", { cases: FEW });
  const further = (repeated.memoryBytes - few.memoryBytes) / 1024 / (FEW * (TRIALS - 1));
  console.log(`memory for each further trial: ${further.toFixed(2)} KiB\n`);
  const perCase = (result: MeasuredEval, count: number) => (needed(result) * 1000) / count;
  const ok = [
    check("a mock case of 10,000, ms", perCase(many, MANY), BARS.millisecondsPerCase),
    check(
      "a case of 10,000 / a case of 1,000",
      perCase(many, MANY) / perCase(few, FEW),
      BARS.growth,
    ),
    check(
      "a trial of 100,000 / a case of 10,000",
      perCase(repeated, FEW * TRIALS) / perCase(many, MANY),
      BARS.growth,
    ),
    check(
      "memory at 10,000 / memory at 1,000",
      many.memoryBytes / few.memoryBytes,
      BARS.memoryGrowth,
    ),
    check("memory at 100,000 trials, MiB", repeated.memoryBytes / MEBIBYTE, BARS.mebibytes),
    check("report of 2,000 cases, MiB", (await reportBytes()) / MEBIBYTE, BARS.reportMebibytes),
    check("report of 100,000 trials, MB", largeReportBytes() / 1e6, BARS.largeReportMegabytes),
  ].every(Boolean);
  const results = exampleRun({ cases: REPORTED });
  const opened = await measureReport(htmlReport({ results, summary: summarize(results) }));
  const opens = opened === undefined || printReportMeasures(REPORTED, opened);
  if (!ok || !opens) process.exitCode = 1;
}

/** On a machine that others use too, the time on the clock says more about them. */
function needed({ seconds, cpuSeconds }: MeasuredEval): number {
  return Math.min(seconds, cpuSeconds);
}

interface Size {
  readonly cases: number;
  readonly trials?: number;
}

async function measured(name: string, { cases, trials = 1 }: Size): Promise<MeasuredEval> {
  const world = createMockWorld(cases, name === "mock");
  const count = cases * trials;
  try {
    const result = await measureEval(world, "--trials", `${trials}`);
    const { seconds, cpuSeconds, memoryBytes, exitCode } = result;
    if (exitCode !== 0) throw new Error(`${count} ${name} trials ended with ${exitCode}`);
    const rate = `${cpuSeconds.toFixed(1)} s of processor, ${(count / needed(result)).toFixed(0)} a second`;
    const memory = `${(memoryBytes / MEBIBYTE).toFixed(0)} MiB`;
    console.log(`${count} ${name} trials: ${seconds.toFixed(1)} s, ${rate}, ${memory}`);
    return result;
  } finally {
    world.remove();
  }
}

/** 50,000 cases in two arms. */
function largeReportBytes(): number {
  const results = exampleRun({ cases: 50_000 });
  return Buffer.byteLength(htmlReport({ results, summary: summarize(results) }));
}

async function reportBytes(): Promise<number> {
  const world = createMockWorld(REPORTED);
  try {
    await measureEval(world, "--html", "report.html");
    return statSync(join(world.project, "report.html")).size;
  } finally {
    world.remove();
  }
}
