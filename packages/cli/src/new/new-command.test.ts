import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { lintSkill, parseSkill } from "@skillwright/core";
import { describe, expect, it } from "vitest";
import { runCli } from "../../../../test/support/run-cli.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

describe("skillwright new", () => {
  it("F-09 makes a skill in which strict lint finds nothing but placeholders", async () => {
    const cwd = temporaryFolder();
    for (const name of ["release-notes", "a", "数据-分析", "x1-2"]) {
      const parts = ["--with", name === "a" ? "evals" : "script,references,evals"];
      const { exitCode } = await runCli(["new", name, ...parts], { cwd });
      expect(exitCode).toBe(0);
      const { diagnostics } = await lintSkill(join(cwd, ".agent/skills", name), { strict: true });
      expect(
        diagnostics.map(({ code }) => code),
        name,
      ).toEqual(["placeholder", "placeholder"]);
    }
  });

  it("F-09 an untouched skill is neither packed strictly nor passes its eval", async () => {
    const cwd = temporaryFolder();
    const env = { HOME: cwd };
    await runCli(["new", "release-notes", "--with", "script,references,evals"], { cwd, env });
    const path = ".agent/skills/release-notes";
    const packed = await runCli(["pack", "--strict", path], { cwd, env });
    expect(packed.exitCode).toBe(1);
    const evaluated = await runCli(["eval", path, "--trust", "--model", "offline"], { cwd, env });
    expect(evaluated.exitCode).toBe(1);
    expect(evaluated.stdout).toContain("TODO");
  });

  it("F-09 --with says what to put beside SKILL.md", async () => {
    const cwd = temporaryFolder();
    const { stdout } = await runCli(["new", "one", "--with", "script, references", "--json"], {
      cwd,
    });
    expect(JSON.parse(stdout)).toMatchObject({
      files: ["SKILL.md", "scripts/main.mjs", "references/details.md"],
    });
    expect((await runCli(["new", "two", "--with", "tests"], { cwd })).exitCode).toBe(2);
  });

  it("F-09 E-01 writes first evals that can be judged without a model", async () => {
    const cwd = temporaryFolder();
    await runCli(["new", "release-notes"], { cwd });
    const file = join(cwd, ".agent/skills/release-notes/evals/evals.json");
    const evals = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    expect(evals).toMatchObject({ skill_name: "release-notes" });
    expect(evals["evals"]).toMatchObject([
      { id: 1, should_trigger: true, assertions: [{ type: "skill_used" }, { type: "contains" }] },
      { id: 2, should_trigger: false, assertions: [{ type: "skill_not_used" }] },
    ]);
  });

  it("F-09 keeps a description as it was given", async () => {
    const cwd = temporaryFolder();
    const description = 'Writes: "notes" # not a comment. Use when asked.';
    await runCli(["new", "notes", "-d", description], { cwd });
    const text = readFileSync(join(cwd, ".agent/skills/notes/SKILL.md"), "utf8");
    expect(parseSkill(text).skill?.description).toBe(description);
  });

  it("F-02 refuses a bad name and suggests a good one", async () => {
    const cwd = temporaryFolder();
    const { exitCode, stderr } = await runCli(["new", "PDF_Tools"], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("pdf-tools");
    for (const name of ["../evil", "a/b", "-x", "", "x".repeat(65)]) {
      expect((await runCli(["new", "--", name], { cwd })).exitCode, name).toBe(2);
    }
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("F-09 never touches a skill that is there", async () => {
    const cwd = temporaryFolder({ ".agent/skills/mine/SKILL.md": "precious" });
    const { exitCode, stderr } = await runCli(["new", "mine"], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("exists already");
    expect(readFileSync(join(cwd, ".agent/skills/mine/SKILL.md"), "utf8")).toBe("precious");
    expect(readdirSync(join(cwd, ".agent/skills"))).toEqual(["mine"]);
  });

  it.each([
    [".agent", []],
    [".agent/skills", []],
    [".claude/skills", []],
    ["skills", ["--dir", "skills"]],
    ["skills", ["--dir", "skills/below"]],
    ["skills", ["--root", "skills"]],
  ])("F-09 writes nothing through a link at %s that leads out, %j", async (link, args) => {
    const outside = temporaryFolder({ "skills/mine/SKILL.md": "precious" });
    const cwd = temporaryFolder();
    mkdirSync(dirname(join(cwd, link)), { recursive: true });
    symlinkSync(outside, join(cwd, link));
    const { exitCode, stderr } = await runCli(["new", "release-notes", ...args], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("leads out of");
    expect(readdirSync(outside, { recursive: true })).toHaveLength(3);
  });

  it("F-09 refuses a link that leads nowhere or to a folder above, and takes one that stays inside", async () => {
    const parent = temporaryFolder({ "project/kept/.keep": "" });
    const cwd = join(parent, "project");
    for (const target of [join(parent, "missing"), ".."]) {
      const link = target === ".." ? "up" : "nowhere";
      symlinkSync(target, join(cwd, link));
      expect((await runCli(["new", "notes", "--dir", link], { cwd })).exitCode).toBe(2);
    }
    expect(readdirSync(parent)).toEqual(["project"]);
    symlinkSync("kept", join(cwd, "inside"));
    expect((await runCli(["new", "notes", "--dir", "inside"], { cwd })).exitCode).toBe(0);
    expect(existsSync(join(cwd, "kept/notes/SKILL.md"))).toBe(true);
  });

  it("F-09 goes where the project keeps its skills, or where it is told", async () => {
    const cwd = temporaryFolder({ ".claude/skills/other/SKILL.md": "x" });
    const { stdout } = await runCli(["new", "one", "--json"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({
      schemaVersion: 1,
      name: "one",
      path: ".claude/skills/one",
      files: ["SKILL.md", "evals/evals.json"],
    });
    await runCli(["new", "two", "--dir", "elsewhere"], { cwd });
    expect(existsSync(join(cwd, "elsewhere/two/SKILL.md"))).toBe(true);
    const home = temporaryFolder();
    await runCli(["new", "three", "--source", "user"], { cwd, env: { HOME: home } });
    expect(statSync(join(home, ".agent/skills/three")).mode & 0o700).toBe(0o700);
  });
});
