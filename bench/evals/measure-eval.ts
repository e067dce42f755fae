import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MockWorld } from "./mock-world.ts";

export interface MeasuredEval {
  readonly seconds: number;
  /** Of processor time, all threads together: what it would take if nobody else used the machine, or more. */
  readonly cpuSeconds: number;
  /** Of the process, at its largest. */
  readonly memoryBytes: number;
  readonly exitCode: number | null;
}

const BIN = join(process.cwd(), "packages/cli/bin/skillwright.cjs");
const LOOK_MS = 20;

/** The built command line as a user starts it, from its start to its end. */
export async function measureEval(
  { project, home }: MockWorld,
  ...more: readonly string[]
): Promise<MeasuredEval> {
  const started = performance.now();
  const child = spawn(process.execPath, [BIN, "eval", "--trust", "--quiet", ...more], {
    cwd: project,
    env: { PATH: process.env["PATH"], HOME: home },
    stdio: "ignore",
  });
  let memoryBytes = 0;
  let cpuSeconds = 0;
  const look = setInterval(() => {
    memoryBytes = Math.max(memoryBytes, largestMemory(child.pid ?? 0));
    cpuSeconds = Math.max(cpuSeconds, processorTime(child.pid ?? 0));
  }, LOOK_MS);
  const exitCode = await new Promise<number | null>((done) => child.once("close", done));
  clearInterval(look);
  const seconds = (performance.now() - started) / 1000;
  return { seconds, cpuSeconds, memoryBytes, exitCode };
}

function largestMemory(pid: number): number {
  const [, kibibytes = "0"] = /VmHWM:\s+(\d+)/.exec(processFile(pid, "status")) ?? [];
  return Number(kibibytes) * 1024;
}

/** Fields 14 and 15, in ticks of which there are 100 a second. */
function processorTime(pid: number): number {
  const [, fields = ""] = processFile(pid, "stat").split(") ");
  const [user = 0, system = 0] = fields.split(" ").slice(11, 13).map(Number);
  return (user + system) / 100;
}

function processFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}
