import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { bundleCommandLine } from "./agent-bundle.ts";

const canMount = spawnSync("unshare", ["-m", "true"]).status === 0;
const ACTIONS = JSON.stringify({ actions: [{ action: "final_answer", answer: "done" }] });

let program = "";

beforeAll(async () => {
  if (canMount) program = await bundleCommandLine();
});

afterAll(() => {
  if (canMount) rmSync(dirname(program), { recursive: true, force: true });
});

function world() {
  const folder = temporaryFolder({ "p/actions.json": ACTIONS });
  const project = join(folder, "p");
  const runs = join(project, ".agent/runs");
  /** With other mounts, which only this process sees. */
  const call = (mounts: string, ...args: string[]) => {
    const command = ["-m", "sh", "-c", `${mounts} exec "$@"`, "sh", process.execPath, program];
    const { status, stdout, stderr } = spawnSync("unshare", [...command, ...args], {
      cwd: project,
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"],
        HOME: join(folder, "home"),
        XDG_STATE_HOME: join(folder, "state"),
      },
    });
    return { status, stdout, stderr };
  };
  const run = (mounts = "") => call(mounts, "run", "x", "--model", "mock:actions.json");
  const ids = () => readdirSync(runs).filter((name) => !name.startsWith(".gitignore"));
  return { folder, project, runs, call, run, ids };
}

const readOnly = (path: string) =>
  `mount --bind '${path}' '${path}' && mount -o remount,ro,bind '${path}' &&`;

describe.runIf(canMount)("a disk that takes nothing", () => {
  it("P-03 says so in words, with what to do, and nothing is half there", () => {
    const { folder, project, runs, run, call, ids } = world();
    expect(run(`cd / && ${readOnly(project)} cd '${project}' &&`)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/the file system is read-only\nhint: make it writable/),
    });
    expect(run()).toMatchObject({ status: 0 });
    const [runId = ""] = ids();
    for (const place of [runs, join(folder, "state")]) {
      expect(call(readOnly(place), "runs", "prune", "--keep", "0")).toMatchObject({
        status: 1,
        stderr: expect.stringContaining("the file system is read-only"),
      });
      expect(ids()).toEqual([runId]);
      expect(call("", "runs", "verify")).toMatchObject({ status: 0 });
    }
    const full = `mount -t tmpfs -o size=8k none '${runs}' &&`;
    expect(run(full)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/the disk is full\nhint: make room/i),
    });
  });

  it("P-03 a removal that breaks off in the middle leaves no damaged run", () => {
    const { runs, run, call, ids } = world();
    run();
    const [runId = ""] = ids();
    const inside = join(runs, runId, "outputs");
    mkdirSync(inside);
    writeFileSync(join(inside, "turn-1.txt"), "long");
    expect(call(readOnly(inside), "runs", "prune", "--keep", "0").status).not.toBe(0);
    expect(call("", "runs", "list", "--json").stdout).toContain('"runs": []');
    expect(call("", "runs", "verify")).toMatchObject({ status: 0 });
    expect(call("", "runs", "prune", "--keep", "0")).toMatchObject({ status: 0 });
    expect(ids()).toEqual([]);
    expect(existsSync(inside)).toBe(false);
  });
});
