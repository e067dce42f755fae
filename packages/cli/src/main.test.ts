import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../../test/support/run-cli.ts";
import { skillText } from "../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { main, VERSION } from "./index.ts";

describe("skillwright", () => {
  it("C-01 prints version and help on stdout and exits 0", async () => {
    const cwd = temporaryFolder();
    const version = await runCli(["--version"], { cwd });
    expect(version).toEqual({ exitCode: 0, stdout: `${VERSION}\n`, stderr: "" });
    const help = await runCli(["--help"], { cwd });
    expect(help.exitCode).toBe(0);
    expect(help.stdout).toContain("lint");
    const lintHelp = await runCli(["help", "lint"], { cwd });
    expect(lintHelp.stdout).toContain("--max-warnings");
    expect(lintHelp.stdout).toContain("--root");
  });

  it("C-01 suggests the command that was meant", async () => {
    const { exitCode, stderr } = await runCli(["lnt"], { cwd: temporaryFolder() });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("lint");
  });

  it("C-01 --cwd works as if started there", async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, "inner"));
    const { exitCode } = await runCli(["--cwd", "inner", "new", "some-skill"], { cwd });
    expect(exitCode).toBe(0);
    const { stdout } = await runCli(["lint", "--cwd", "inner"], { cwd });
    expect(stdout).toContain("2 warnings in 1 skill");
  });

  it.each(["file", "nowhere"])("C-01 --cwd %s is wrong usage", async (path) => {
    const cwd = temporaryFolder({ file: "" });
    const { exitCode, stderr } = await runCli(["list", "--cwd", path], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`there is no folder "${join(cwd, path)}"`);
  });

  it.each([".agent", ".git"])("R-05 lists where %s is a link to itself", async (name) => {
    const cwd = temporaryFolder({ "skills/pdf/SKILL.md": skillText("pdf") });
    symlinkSync(name, join(cwd, name));
    const env = { HOME: temporaryFolder() };
    expect(await runCli(["list", "--quiet"], { cwd, env })).toMatchObject({
      exitCode: 0,
      stdout: "pdf\n",
    });
    await runCli(["trust"], { cwd, env });
    expect((await runCli(["list"], { cwd, env })).exitCode).toBe(0);
  });

  it("C-02 says whose files --config takes the place of", async () => {
    const { stdout } = await runCli(["list", "--help"], { cwd: temporaryFolder() });
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "read this configuration file instead of the user's own",
    );
  });

  it("C-01 what the file system refuses is said plainly with exit 1", async () => {
    const cwd = temporaryFolder({ file: "" });
    const { exitCode, stderr } = await runCli(["new", "x", "--dir", "file/skills"], { cwd });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: ENOTDIR/);
  });

  it("C-01 an unexpected failure is reported as a bug of ours with exit 70", async () => {
    let stderr = "";
    const exitCode = await main(["new", "x"], {
      stdout: {
        write() {
          throw new TypeError("unexpected");
        },
      },
      stderr: { write: (text) => (stderr += text) },
      env: {},
      cwd: temporaryFolder(),
    });
    expect(exitCode).toBe(70);
    expect(stderr).toContain("TypeError: unexpected");
  });
});
