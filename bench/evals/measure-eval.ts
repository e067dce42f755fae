import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MockWorld } from "./mock-world.ts";

export interface MeasuredEval {
  readonly seconds: number;
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
  const look = setInterval(() => {
    memoryBytes = Math.max(memoryBytes, largestMemory(child.pid ?? 0));
  }, LOOK_MS);
  const exitCode = await new Promise<number | null>((done) => child.once("close", done));
  clearInterval(look);
  return { seconds: (performance.now() - started) / 1000, memoryBytes, exitCode };
}

function largestMemory(pid: number): number {
  try {
    const [, kibibytes = "0"] =
      /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kibibytes) * 1024;
  } catch {
    return 0;
  }
}
