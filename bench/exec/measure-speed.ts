import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import {
  createBubblewrapExecutor,
  createProcessExecutor,
} from "../../packages/runtime/src/execution/create-executor.ts";
import { median, type Times } from "../parse/measure-rounds.ts";
import { openGatedRuns } from "./gated-runs.ts";
import { openChanges } from "./measure-view.ts";
import { openSandboxRuntime } from "./sandbox-runtime.ts";
import type { BenchSkill } from "./skill.ts";

interface Contender {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

export interface Speeds {
  readonly plain: Times;
  readonly process: Times;
  readonly bubblewrap: Times;
  readonly view: Times;
  readonly peer: Times | { readonly missing: string };
}

export const ROUNDS = 30;
const WARM_UP_ROUNDS = 5;

/** The interpreter and its flags are those that the executors use. */
const PYTHON = ["/usr/bin/python3", "-E", "-s", "-B", "-u"];

/** Each contender runs a script that does nothing, in turns, so that a busy machine slows all alike. */
export async function measureSpeed(skill: BenchSkill): Promise<Speeds> {
  const script = join(skill.path, "scripts/pass.py");
  const gatedProcess = await openGatedRuns(skill, {
    executor: createProcessExecutor(),
    sandbox: "none",
  });
  const gatedBubblewrap = await openGatedRuns(skill, {
    executor: createBubblewrapExecutor(),
    sandbox: "bubblewrap",
  });
  const changes = openChanges(skill.cwd, join(skill.root, "changes"));
  const gatedView = await openGatedRuns(skill, {
    executor: createBubblewrapExecutor(),
    sandbox: "bubblewrap",
    changes,
  });
  const peer = await openSandboxRuntime([...PYTHON, script].join(" "), skill.cwd);
  const [plain, process, bubblewrap, view, other] = await measure([
    { name: "plain spawn", run: () => spawnPlain(script, skill.cwd) },
    { name: "our process", run: () => succeed(gatedProcess.run("pass.py")) },
    { name: "our bubblewrap", run: () => succeed(gatedBubblewrap.run("pass.py")) },
    { name: "our bubblewrap with a view", run: () => succeed(gatedView.run("pass.py")) },
    ...("missing" in peer ? [] : [{ name: "sandbox-runtime", run: () => peer.run() }]),
  ]);
  await gatedProcess.close();
  await gatedBubblewrap.close();
  await gatedView.close();
  await changes.close();
  if (!("missing" in peer)) await peer.close();
  if (!plain || !process || !bubblewrap || !view) throw new Error("nothing was measured");
  const missing = "missing" in peer ? peer : { missing: "" };
  return { plain, process, bubblewrap, view, peer: other ?? missing };
}

async function measure(contenders: readonly Contender[]): Promise<readonly Times[]> {
  const rounds = contenders.map((): number[] => []);
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const [i, { run }] of contenders.entries()) {
      const started = performance.now();
      await run();
      if (round >= 0) rounds[i]?.push(performance.now() - started);
    }
  }
  return contenders.map(({ name }, i) => {
    const own = rounds[i] ?? [];
    return { name, rounds: own, median: median(own) };
  });
}

async function spawnPlain(script: string, cwd: string): Promise<void> {
  const [program = "", ...flags] = PYTHON;
  const env = { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" };
  const child = spawn(program, [...flags, script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.resume();
  child.stderr.resume();
  const [code] = (await once(child, "close")) as [number];
  if (code !== 0) throw new Error(`plain spawn ended with ${code}`);
}

async function succeed(running: Promise<{ readonly ok: boolean }>): Promise<void> {
  const result = await running;
  if (!result.ok) throw new Error(JSON.stringify(result));
}
