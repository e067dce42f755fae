import { createBubblewrapExecutor } from "../../packages/runtime/src/execution/bubblewrap-executor.ts";
import { createProcessExecutor } from "../../packages/runtime/src/execution/process-executor.ts";
import { snapshotSkill } from "../../packages/runtime/src/execution/snapshot-skill.ts";
import { makeRunDirectory, removeRunDirectory } from "../../packages/runtime/src/execution/run-directory.ts";
import { sandboxFiles } from "../../packages/runtime/src/execution/sandbox-files.ts";
import { makeProcessCgroup } from "../../packages/runtime/src/execution/process-cgroup.ts";
import { openOutputPipes } from "../../packages/runtime/src/execution/output-pipes.ts";
import { makeBenchSkill } from "./skill.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
const q = (a: number[]) => a.sort((x, y) => x - y);
async function time(name: string, f: () => Promise<unknown> | unknown, n = 40) {
  const a: number[] = [];
  for (let i = 0; i < n; i++) { const t = performance.now(); await f(); a.push(performance.now() - t); }
  q(a); console.log(name.padEnd(30), "p10", a[n/10|0]!.toFixed(2), "p50", a[n/2|0]!.toFixed(2));
}
export async function run() {
  const skill = makeBenchSkill();
  const bw = createBubblewrapExecutor(), pr = createProcessExecutor();
  const req = { skill: { name: "b", path: skill.path }, script: "pass.py", args: [], cwd: skill.cwd };
  await bw.run(req);
  const V: Record<string, () => Promise<unknown>> = {
    plain: async () => { const c = spawn("/usr/bin/python3", ["-E", "-s", "-B", "-u", skill.path + "/scripts/pass.py"], { env: { PATH: "/usr/bin" }, stdio: ["ignore", "pipe", "pipe"] }); c.stdout.resume(); c.stderr.resume(); await once(c, "close"); },
    process: () => pr.run(req), bw: () => bw.run(req),
    snapshot: async () => { const d = makeRunDirectory(); await snapshotSkill(req.skill, d + "/skill"); removeRunDirectory(d); },
  };
  const R: Record<string, number[]> = {};
  for (let i = 0; i < 60; i++) for (const k in V) { const t = performance.now(); await V[k]!(); if (i > 4) (R[k] ??= []).push(performance.now() - t); }
  for (const k in R) { const a = q(R[k]!); console.log(k.padEnd(10), "p5", a[3]!.toFixed(1), "p25", a[14]!.toFixed(1), "p50", a[27]!.toFixed(1)); }
  const TT = ((globalThis as any).TT ?? []) as [string, number][]; const by: Record<string, number[]> = {}; for (const [n, t] of TT) (by[n] ??= []).push(t);
  for (const n in by) { const a = q(by[n]!); console.log(n, a[a.length/10|0]!.toFixed(2), a[a.length/2|0]!.toFixed(2)); }
  skill.remove();
}
