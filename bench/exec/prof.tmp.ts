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
  await time("mkrun+rm", () => removeRunDirectory(makeRunDirectory()));
  await time("snapshot", async () => { const d = makeRunDirectory(); await snapshotSkill(req.skill, d + "/skill"); removeRunDirectory(d); });
  await time("sandboxfiles", () => { const d = makeRunDirectory(); sandboxFiles(d); removeRunDirectory(d); });
  await time("cgroup", async () => { const g = makeProcessCgroup(10); await g?.remove(); });
  await time("plain", async () => { const c = spawn("/usr/bin/python3", ["-E", "-s", "-B", "-u", skill.path + "/scripts/pass.py"], { env: { PATH: "/usr/bin" }, stdio: ["ignore", "pipe", "pipe"] }); c.stdout.resume(); c.stderr.resume(); await once(c, "close"); });
  await time("process", () => pr.run(req));
  await time("bubblewrap", () => bw.run(req));
  await time("plain", async () => { const c = spawn("/usr/bin/python3", ["-E", "-s", "-B", "-u", skill.path + "/scripts/pass.py"], { env: { PATH: "/usr/bin" }, stdio: ["ignore", "pipe", "pipe"] }); c.stdout.resume(); c.stderr.resume(); await once(c, "close"); });
  skill.remove();
}
