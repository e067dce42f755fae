import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { probeView } from "../../packages/runtime/src/changes/index.ts";
import { childrenOfProcess } from "../../packages/runtime/src/execution/index.ts";
import { RunChanges } from "../../packages/runtime/src/internal/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { RUNNERS } from "../attack/execution-host.ts";
import { bundleViews, ViewHost, type ViewStep } from "../support/view-host.ts";

const KILLS = 240;
const AT_ONCE = 4;
const MAX_DELAY_MS = 50;
const GONE_WITHIN_MS = 20_000;

let bundle = "";
beforeAll(async () => {
  bundle = await bundleViews();
  const probe = await probeView();
  if (!probe.ok) throw new Error(probe.reason);
});
afterAll(() => rmSync(dirname(dirname(bundle)), { recursive: true, force: true }));

/** Processes whose command or mounts name the folder. */
function leftOf(folder: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    return ["cmdline", "mountinfo"].some((file) => {
      try {
        return readFileSync(`/proc/${pid}/${file}`, "latin1").includes(folder);
      } catch {
        return false;
      }
    });
  });
}

async function gone(folder: string): Promise<readonly string[]> {
  const end = performance.now() + GONE_WITHIN_MS;
  while (performance.now() < end && leftOf(folder).length > 0) await setTimeout(20);
  return leftOf(folder);
}

const FILES = { a: "old a", "b/c": "old c", "b/d": "old d", m: "old m" };
const SCRIPT = "echo new > a; rm -r b; mkdir b; echo new > b/e; chmod 600 m; mkdir n; echo x > n/o";
const STEPS: readonly ViewStep[] = [["script", SCRIPT], ["apply"]];
const OLD = ["a", "b", "b/c", "b/d", "m"];
const NEW = ["a", "b", "b/e", "m", "n", "n/o"];

const treeOf = (world: ViewHost) =>
  readdirSync(world.work, { recursive: true, encoding: "utf8" }).toSorted();

it("X-11 a run that does nothing for a while keeps no process, and goes on with its changes", async () => {
  const folder = realpathSync(temporaryFolder({ "work/a": "old" }));
  const changes = new RunChanges({ root: join(folder, "work"), folder: join(folder, "run") });
  const holders = () =>
    childrenOfProcess(process.pid).filter((pid) => commandOf(pid).includes("unshare"));
  const before = holders().length;
  const append = (text: string) =>
    changes.run(async (view) => {
      if (!view.ok) throw new Error(view.reason);
      appendFileSync(view.merged.child("a"), text);
    });
  await append("1");
  expect(holders()).toHaveLength(before + 1);
  await expect.poll(() => holders().length).toBe(before);
  await append("2");
  expect(changes.pending()).toMatchObject([{ path: "a", after: { size: 5 } }]);
  await changes.close();
  expect(holders()).toHaveLength(before);
});

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}

describe.each(RUNNERS)("kills as $user", (runner) => {
  it("X-11 a kill at any step of run, collect or apply leaves old or new, and nothing is lost", async () => {
    const { steps } = await new ViewHost(bundle, runner, FILES).run(STEPS);
    expect(steps).toBeGreaterThan(20);
    const seen = new Set<string>();
    for (let kill = 0; kill < steps; kill++) {
      const world = new ViewHost(bundle, runner, FILES);
      expect(await world.tryRun(STEPS, { kill }), `step ${kill}`).toBeUndefined();
      expect(await gone(world.folder), `step ${kill}`).toEqual([]);
      await world.run([["recover"]]);
      const tree = treeOf(world);
      const isNew = tree.includes("n");
      expect(tree, `step ${kill}`).toEqual(isNew ? NEW : OLD);
      expect(readFileSync(join(world.work, "a"), "utf8")).toBe(isNew ? "new\n" : "old a");
      const isHeld = existsSync(join(world.held, "manifest.json"));
      seen.add(`${isNew ? "new" : "old"} ${isHeld ? "held" : ""}`);
      await world.run([["apply"]]);
      expect(treeOf(world), `step ${kill}`).toEqual(isNew || isHeld ? NEW : OLD);
    }
    expect([...seen].toSorted()).toEqual(["new ", "old ", "old held"]);
  });

  it("X-11 a kill at any step of undoing leaves old or new", async () => {
    const undo: readonly ViewStep[] = [...STEPS, ["undo"]];
    const { steps } = await new ViewHost(bundle, runner, FILES).run(undo);
    const { steps: first } = await new ViewHost(bundle, runner, FILES).run(STEPS);
    for (let kill = first; kill < steps; kill += 2) {
      const world = new ViewHost(bundle, runner, FILES);
      await world.tryRun(undo, { kill });
      const undoFolder = readdirSync(world.held).find((name) => name.startsWith("undo-"));
      if (undoFolder !== undefined) {
        await world.run([["recover", join("held", undoFolder)]]);
      }
      expect([OLD, NEW]).toContainEqual(treeOf(world));
    }
  });

  it(
    `X-11 ${KILLS} kills within ${MAX_DELAY_MS} ms of a start leave no process and no mount`,
    { timeout: 600_000 },
    async () => {
      const world = new ViewHost(bundle, runner, FILES);
      let next = 0;
      const killSome = async () => {
        for (let kill = next++; kill < KILLS; kill = next++) {
          const child = world.start([["script", "sleep 300 & sleep 300"]]);
          const exited = new Promise((resolve) => child.once("exit", resolve));
          const children = `/proc/${child.pid}/task/${child.pid}/children`;
          while (child.exitCode === null && readFileSync(children, "latin1") === "") {
            await setTimeout(1);
          }
          await setTimeout((kill / KILLS) * MAX_DELAY_MS);
          child.kill("SIGKILL");
          await exited;
          expect(child.signalCode).toBe("SIGKILL");
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, killSome));
      expect(await gone(world.folder)).toEqual([]);
    },
  );
});
