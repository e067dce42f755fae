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
const REPORTED = 2000;
const MEBIBYTE = 1024 * 1024;

/** Per case: 350 in a second. Growth of 1 is a line; of ten times the cases only the cases themselves are in memory. */
const BARS = {
  millisecondsPerCase: 1000 / 350,
  growth: 1.2,
  memoryGrowth: 1.5,
  reportMebibytes: 15,
};

/**
 * The built command line from start to end, with journal, results and verdict: cases whose decisions are
 * given, and for comparison the offline model, which decides itself.
 */
export async function run(): Promise<void> {
  console.log(`load ${(loadavg()[0] ?? 0).toFixed(1)}\n`);
  const few = await measured("mock", FEW, true);
  const many = await measured("mock", MANY, true);
  await measured("offline", FEW, false);
  const further = (many.memoryBytes - few.memoryBytes) / 1024 / (MANY - FEW);
  console.log(`memory for each further case: ${further.toFixed(1)} KiB\n`);
  const ok = [
    check("a mock case of 10,000, ms", (needed(many) * 1000) / MANY, BARS.millisecondsPerCase),
    check(
      "a case of 10,000 / a case of 1,000",
      needed(many) / MANY / (needed(few) / FEW),
      BARS.growth,
    ),
    check(
      "memory at 10,000 / memory at 1,000",
      many.memoryBytes / few.memoryBytes,
      BARS.memoryGrowth,
    ),
    check("report of 2,000 cases, MiB", (await reportBytes()) / MEBIBYTE, BARS.reportMebibytes),
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

async function measured(name: string, count: number, isMock: boolean): Promise<MeasuredEval> {
  const world = createMockWorld(count, isMock);
  try {
    const result = await measureEval(world);
    const { seconds, cpuSeconds, memoryBytes, exitCode } = result;
    if (exitCode !== 0) throw new Error(`${count} ${name} cases ended with ${exitCode}`);
    const rate = `${cpuSeconds.toFixed(1)} s of processor, ${(count / needed(result)).toFixed(0)} a second`;
    const memory = `${(memoryBytes / MEBIBYTE).toFixed(0)} MiB`;
    console.log(`${count} ${name} cases: ${seconds.toFixed(1)} s, ${rate}, ${memory}`);
    return result;
  } finally {
    world.remove();
  }
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
