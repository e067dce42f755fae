import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { skillText, writeTree } from "../../../../../test/support/skill-tree.ts";
import { workplace } from "../../../../../test/support/workplace.ts";

const hasFifos = spawnSync("mkfifo", ["--version"]).status === 0;

describe("skillwright trust", () => {
  it("R-12 C-01 a skill that holds a link cannot be trusted by its content", async () => {
    const { run, cwd } = workplace({ ".agent/skills/pdf/SKILL.md": skillText("pdf") });
    symlinkSync("/etc/passwd", join(cwd, ".agent/skills/pdf/x"));
    const { exitCode, stderr } = await run("trust", "pdf");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("links inside a skill are refused");
  });

  it.skipIf(!hasFifos)("R-12 C-01 nor one that holds a FIFO (skipped without mkfifo)", async () => {
    const { run, cwd } = workplace({ ".agent/skills/pdf/SKILL.md": skillText("pdf") });
    spawnSync("mkfifo", [join(cwd, ".agent/skills/pdf/x")]);
    const { exitCode, stderr } = await run("trust", "pdf");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("pdf has no content to trust");
  });

  it("R-12 can be taken back whatever the project's configuration is", async () => {
    const { run, cwd } = workplace({ ".agent/skills/pdf/SKILL.md": skillText("pdf") });
    await run("trust");
    writeTree(cwd, { ".agent/config.json": "{" });
    expect((await run("trust", "--list")).stdout).toContain(`trusted    ${cwd}`);
    expect((await run("untrust")).exitCode).toBe(0);
    const { exitCode, stdout } = await run("list");
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining("untrusted")]);
  });

  it.skipIf(process.platform !== "linux")(
    "R-12 C-01 comes back where nothing can be stored (skipped without /proc)",
    async () => {
      const { run } = workplace({}, {}, { XDG_STATE_HOME: "/proc/x", XDG_CACHE_HOME: "/proc/x" });
      const { exitCode, stderr } = await run("trust");
      expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^error: ENOENT/)]);
      expect((await run("list")).exitCode).toBe(0);
    },
  );
});
