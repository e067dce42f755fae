import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileStore } from "../packages/agent/src/index.ts";
import { skillStats } from "../packages/app/src/stats/stats.ts";
import { generateRuns, writeRun } from "../packages/app/src/stats/testing.ts";

const RUNS = 100_000;
const CHANGED = 100;
const SKILLS = Array.from({ length: 40 }, (_, i) => `skill-number-${i}`);

/** `skillwright stats` over many runs: all of them, none that is new, and a few. */
export async function run(): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), "skillwright-bench-stats-"));
  try {
    const project = join(base, "project");
    for (const one of generateRuns(RUNS, SKILLS)) writeRun(project, one);
    const store = createFileStore({ root: project, stateDirectory: join(base, "state") });
    const measure = async (what: string) => {
      const before = process.cpuUsage();
      const start = performance.now();
      const { runs } = await skillStats(store, [], join(base, "cache"));
      const seconds = ((performance.now() - start) / 1000).toFixed(2);
      const { user, system } = process.cpuUsage(before);
      const cpu = ((user + system) / 1e6).toFixed(2);
      console.log(`${seconds.padStart(7)} s (${cpu} s of CPU)  ${runs} runs, ${what}`);
    };
    await measure("all read");
    await measure("none changed");
    for (const one of generateRuns(CHANGED, SKILLS)) writeRun(project, { ...one, torn: true });
    await measure(`${CHANGED} written again`);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
