import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { builtCli } from "../support/built-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

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

  it("C-01 loads only what the command needs", () => {
    const entry = readFileSync(`${DIST}skillwright.js`, "utf8");
    const chunks = readdirSync(DIST).filter((file) => file !== "skillwright.js");
    const eager = chunks.filter((file) =>
      new RegExp(`^(?:import|export).*${file}`, "m").test(entry),
    );
    for (const file of eager) {
      const chunk = readFileSync(`${DIST}${file}`, "utf8");
      expect(chunk.includes("parseEvents"), `${file} holds the parser and is loaded at start`).toBe(
        false,
      );
    }
    expect(entry).not.toContain("parseEvents");
  });

  it("C-01 a reader that closes the pipe early is no error", () => {
    const script = `"${process.execPath}" "${DIST}skillwright.js" help lint | head -n 1; exit "\${PIPESTATUS[0]}"`;
    const { status, stdout, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("Usage");
  });
});
