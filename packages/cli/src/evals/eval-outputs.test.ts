import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evalWorld } from "../../../../test/support/eval-world.ts";

describe("outputs of an eval", () => {
  it.each([
    ["--save", ".agent", /it is a folder/],
    ["--save", "/proc/x/y.json", /its folder cannot be made|permission is denied/],
    ["--save", "/dev/null", /it is not a file/],
    ["--junit", ".agent", /it is a folder/],
    ["--html", ".git/HEAD/report.html", /not a folder/],
    ["--markdown", "/proc/x/y.md", /its folder cannot be made|permission is denied/],
    ["--workspace", ".git/HEAD", /it is not a folder/],
    ["--workspace", "/proc/x", /its folder cannot be made|permission is denied/],
    ["--save", `${"n".repeat(251)}.json`, /the name is too long/],
  ])("C-01 %s %s is refused before the first trial", async (option, path, why) => {
    const { call, project, folder } = evalWorld();
    const { exitCode, stderr } = await call(["eval", "--trust", option, path]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${option}: `);
    expect(stderr).toMatch(why);
    expect(stderr).not.toMatch(/\bE[A-Z]{4,}\b/);
    expect(readdirSync(project).sort()).toEqual([".agent", ".git"]);
    expect(existsSync(join(folder, ".local/state/skillwright/evals"))).toBe(false);
  });

  it("C-01 a baseline that cannot be written is refused as well", async () => {
    const { evaluate } = evalWorld({ ".agent/evals/baseline.json/x": "" });
    const { exitCode, stderr } = await evaluate("--update-baseline");
    expect([exitCode, stderr.includes("it is a folder")]).toEqual([2, true]);
  });

  it("C-01 folders that are missing are made, and nothing else is left", async () => {
    const { evaluate, project } = evalWorld();
    expect((await evaluate("--save", "out/deep/now.json")).exitCode).toBe(0);
    expect(readdirSync(join(project, "out/deep"))).toEqual(["now.json"]);
  });

  it("C-01 cases in a pipe are not waited for", async () => {
    const { evaluate, project } = evalWorld();
    execFileSync("mkfifo", [join(project, "fifo.json")]);
    const { exitCode, stderr } = await evaluate("fifo.json");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("fifo.json is neither a file nor a folder");
  });
});
