import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../../test/support/run-cli.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { main } from "./main.ts";
import { VERSION } from "./version.ts";

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
    expect(stdout).toContain("No problems in 1 skill");
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
