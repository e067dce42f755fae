import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { builtCli } from "../support/built-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.js", import.meta.url));
const DIST = fileURLToPath(new URL("../../packages/cli/dist/", import.meta.url));

describe("the built command line", () => {
  it("C-01 makes, checks and mends a skill", () => {
    const cwd = temporaryFolder();
    expect(builtCli(["new", "meeting-notes"], cwd)).toMatchObject({ status: 0, stderr: "" });
    expect(builtCli(["lint"], cwd)).toMatchObject({
      status: 0,
      stdout: "No problems in 1 skill\n",
    });
    expect(builtCli(["lint", "nowhere"], cwd).status).toBe(2);
    expect(builtCli(["lint"], temporaryFolder()).status).toBe(4);
  });

  it("C-01 loads heavy libraries only for the commands that need them", () => {
    const files = readdirSync(DIST);
    const textOf = (name: string) => {
      const file = files.find((candidate) => candidate.startsWith(`${name}-`)) ?? "";
      return readFileSync(`${DIST}${file}`, "utf8");
    };
    const eager = `${readFileSync(`${DIST}skillwright.js`, "utf8")}${textOf("skills")}${textOf("main")}`;
    for (const lazy of ["schema", "watch", "glob"]) {
      expect(files.some((file) => file.startsWith(`${lazy}-`))).toBe(true);
      expect(eager).not.toMatch(new RegExp(`from\\s*["']\\./${lazy}-`));
    }
  });

  it("C-01 a reader that closes the pipe early is no error", () => {
    const script = `"${process.execPath}" "${BIN}" help lint | head -n 1; exit "\${PIPESTATUS[0]}"`;
    const { status, stdout, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("Usage");
  });
});
