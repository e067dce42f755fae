import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { displayWidth } from "@skillwright/core/internal";
import { runCli } from "../../../../../test/support/run-cli.ts";
import { skillText } from "../../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { workplace } from "../../../../../test/support/workplace.ts";

describe("what list says about problems", () => {
  it("R-05 names a root that is missing, and does not point to lint", async () => {
    const { run } = workplace({});
    const { stderr } = await run("list", "--root", "nope");
    expect(stderr).toContain("1 problem on the way to skills:\n  nope: ");
    expect(stderr).not.toContain("lint");
  });

  it("R-05 names the first of several, and all of them with --verbose", async () => {
    const { run, cwd } = workplace({ ".agent/skills/pdf/SKILL.md": skillText("pdf") });
    const elsewhere = temporaryFolder({ "a/SKILL.md": skillText("a") });
    for (const name of ["one", "two"]) symlinkSync(elsewhere, join(cwd, ".agent/skills", name));
    const { stderr } = await run("list");
    expect(stderr).toContain("2 problems on the way to skills; the first");
    expect(stderr).toContain(".agent/skills/one: ");
    expect(stderr).not.toContain(".agent/skills/two: ");
    expect((await run("list", "--verbose")).stderr).toContain(".agent/skills/two: ");
  });

  it.skipIf(process.getuid?.() === 0)(
    "R-05 names a root that cannot be read (skipped as root)",
    async () => {
      const { run, cwd } = workplace({ ".agent/skills/pdf/SKILL.md": skillText("pdf") });
      chmodSync(join(cwd, ".agent/skills"), 0o000);
      const { stderr } = await run("list");
      chmodSync(join(cwd, ".agent/skills"), 0o755);
      expect(stderr).toContain("  .agent/skills: ");
    },
  );

  it("R-05 says that the search stopped at a limit", async () => {
    const { run, cwd } = workplace({});
    mkdirSync(join(cwd, ".agent/skills/1/2/3/4/5/6/7/8"), { recursive: true });
    expect((await run("list")).stderr).toMatch(/on the way to skills:\n {2}\.agent\/skills.*: /);
  });

  it("R-05 points to lint for what lint shows, with the folders", async () => {
    const { run, home } = workplace(
      { ".agent/skills/bad/SKILL.md": "---\nname: [\n---\n" },
      { ".agent/skills/worse/SKILL.md": "nothing" },
    );
    const { stderr } = await run("list");
    const root = join(home, ".agent/skills");
    expect(stderr).toContain(`in skills; shown by: skillwright lint .agent/skills ${root}\n`);
    const lint = await run("lint", ".agent/skills", root);
    expect(lint.stdout).toContain("yaml-invalid");
    expect(lint.stdout).toContain("worse");
  });
});

describe("what list says about skills", () => {
  it("R-08 a skill that people may not call is not just ready", async () => {
    const { run } = workplace(
      {},
      {
        ".agent/skills/both/SKILL.md": skillText("both"),
        ".agent/skills/model/SKILL.md": skillText("model", undefined, "user-invocable: false\n"),
        ".agent/skills/none/SKILL.md": skillText(
          "none",
          undefined,
          "user-invocable: false\ndisable-model-invocation: true\n",
        ),
      },
    );
    const { stdout } = await run("list");
    expect(stdout).toMatch(/^both +user +ready /m);
    expect(stdout).toMatch(/^model +user +model only /m);
    expect(stdout).toMatch(/^none +user +hidden /m);
    expect((await run("explain", "model")).stdout).toContain(
      "offered to people: no, it says `user-invocable: false`",
    );
    expect((await run("inspect", "model")).stdout).toContain("`user-invocable: false`");
  });

  it("C-01 fits into a terminal of 80 columns, and breaks no word", async () => {
    const long = "x".repeat(64);
    const description = "Works on files of many kinds, ".repeat(8);
    const cwd = temporaryFolder({
      ".git/HEAD": "",
      [`.agent/skills/${long}/SKILL.md`]: skillText(long, description),
      ".agent/skills/pdf/SKILL.md": skillText("pdf", description),
      ".agent/skills/bad/SKILL.md": "---\nname: [\n---\n",
    });
    const env = { HOME: temporaryFolder(), NO_COLOR: "1" };
    for (const args of [["list"], ["inspect", "pdf"], ["explain", "pdf"], ["config"]]) {
      const { stdout, stderr } = await runCli(args, { cwd, env, isTTY: true });
      const lines = `${stdout}${stderr}`.split("\n");
      const isPath = (line: string) => /^\s*\S*\/\S*$|sha256/.test(line);
      expect(lines.filter((line) => displayWidth(line) > 80 && !isPath(line))).toEqual([]);
    }
    const { stdout } = await runCli(["inspect", "pdf"], { cwd, env, isTTY: true });
    expect(stdout.replaceAll("\n", " ")).toContain(description.trim());
  });
});
