import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { builtCli } from "../support/built-cli.ts";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));
const DIST = fileURLToPath(new URL("../../packages/cli/dist/", import.meta.url));

describe("the built command line", () => {
  it("C-01 makes and checks a skill", () => {
    const cwd = temporaryFolder();
    expect(builtCli(["new", "meeting-notes"], cwd)).toMatchObject({ status: 0, stderr: "" });
    expect(builtCli(["lint"], cwd)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/placeholder[\s\S]*2 warnings in 1 skill\n$/),
    });
    expect(builtCli(["lint", "nowhere"], cwd).status).toBe(2);
    expect(builtCli(["lint"], temporaryFolder()).status).toBe(4);
  });

  it("C-01 loads heavy libraries only for the commands that need them", () => {
    const cwd = temporaryFolder({ ".agent/skills/a/SKILL.md": skillText("a") });
    const textOf = (files: readonly string[]) =>
      files.map((file) => readFileSync(join(DIST, basename(file)), "utf8")).join("\n");
    // A word of js-yaml, chokidar, zod, @clack/prompts and the runtime each.
    const words = ["YAMLException", "awaitWriteFinish", "safeParse", "monthNames", "--unshare-pid"];
    const foundIn = (files: readonly string[]) => {
      const text = textOf(files);
      return words.filter((word) => text.includes(word));
    };
    expect(foundIn(readdirSync(DIST))).toEqual(words);
    expect(foundIn(loadedBy(["list"], cwd))).toEqual([]);
    expect(foundIn(loadedBy(["lint"], cwd))).toEqual(["YAMLException"]);
  });

  it("C-01 a reader that closes the pipe early is no error", () => {
    const script = `"${process.execPath}" "${BIN}" help lint | head -n 1; exit "\${PIPESTATUS[0]}"`;
    const { status, stdout, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("Usage");
  });
});

/** The files of the build that a command loads. */
function loadedBy(args: readonly string[], cwd: string): string[] {
  const script = `process.on("exit", () => console.error("\\n" + Object.keys(require.cache).join()));
    process.argv.splice(1, 0, ${JSON.stringify(BIN)}); require(${JSON.stringify(BIN)})`;
  const { stderr } = spawnSync(process.execPath, ["-e", script, ...args], {
    cwd,
    encoding: "utf8",
    env: { HOME: cwd },
  });
  const files = (stderr.trimEnd().split("\n").at(-1) ?? "").split(",");
  return files.filter((file) => file.startsWith(DIST));
}
