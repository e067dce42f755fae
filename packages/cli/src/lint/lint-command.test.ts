import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../../../test/support/run-cli.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

const GOOD = `---
name: good
description: Formats dates. Use when a date must be written out.
---

# Good

## Goal
## Inputs and outputs
## Steps
## Failure cases
## Checklist
## Resources
`;
const COLON = GOOD.replace("name: good", "name: colon").replace(
  "dates. Use when",
  "dates. Use when:",
);
const NO_DESCRIPTION = "---\nname: silent\n---\n\n# Silent\n";

const project = () =>
  temporaryFolder({
    ".agent/skills/good/SKILL.md": GOOD,
    ".agent/skills/colon/SKILL.md": COLON,
    ".agent/skills/silent/SKILL.md": NO_DESCRIPTION,
  });

interface LintReport {
  readonly schemaVersion: number;
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  readonly fixed: number;
  readonly diagnostics: readonly Record<string, unknown>[];
}

async function lintJson(args: readonly string[], cwd: string) {
  const { exitCode, stdout } = await runCli(["lint", ...args, "--json"], { cwd });
  return { exitCode, report: JSON.parse(stdout) as LintReport };
}

describe("skillwright lint", () => {
  it("F-06 checks the project's roots by default and prints one JSON document", async () => {
    const { exitCode, report } = await lintJson([], project());
    expect(exitCode).toBe(1);
    expect(report).toMatchObject({ schemaVersion: 1, files: 3, errors: 1, warnings: 1 });
    expect(report.diagnostics[0]).toMatchObject({
      code: "yaml-repaired",
      severity: "warning",
      file: ".agent/skills/colon/SKILL.md",
      line: 3,
      column: 14,
      hint: expect.stringContaining('description: "Formats dates. Use when: a date') as unknown,
    });
  });

  it("F-06 strict validates: what was a warning is an error", async () => {
    const cwd = project();
    const path = ".agent/skills/colon";
    expect((await lintJson([path], cwd)).exitCode).toBe(0);
    expect((await lintJson([path, "--strict"], cwd)).exitCode).toBe(1);
  });

  it.each([
    [".agent/skills/linked", "skills/colon", []],
    [".agent/skills", "skills", []],
    [".agent", "", []],
    ["skills/linked", "skills/colon", ["skills"]],
    ["skills/linked", "skills/colon", ["skills/linked"]],
    ["skills/linked", "skills/colon", ["skills/*"]],
    ["skills/colon/SKILL.md", "skills/colon/SKILL.md", ["skills"]],
  ])("F-07 --fix writes nothing through a link at %s that leads out", async (link, to, paths) => {
    const outside = temporaryFolder({ "skills/colon/SKILL.md": COLON });
    const cwd = temporaryFolder();
    mkdirSync(dirname(join(cwd, link)), { recursive: true });
    symlinkSync(join(outside, to), join(cwd, link));
    const { exitCode } = await runCli(["lint", ...paths, "--fix"], { cwd });
    expect(exitCode).not.toBe(0);
    expect(readFileSync(join(outside, "skills/colon/SKILL.md"), "utf8")).toBe(COLON);
    expect(readdirSync(join(outside, "skills/colon"))).toEqual(["SKILL.md"]);
  });

  it("F-07 --fix takes a link that stays inside, and a folder elsewhere that is named", async () => {
    const cwd = temporaryFolder({ "kept/colon/SKILL.md": COLON, ".agent/skills/.keep": "" });
    symlinkSync("../../kept/colon", join(cwd, ".agent/skills/colon"));
    expect((await lintJson(["--fix"], cwd)).report).toMatchObject({ fixed: 1 });
    const outside = temporaryFolder({ "skills/colon/SKILL.md": COLON });
    expect((await lintJson([join(outside, "skills"), "--fix"], cwd)).report).toMatchObject({
      fixed: 1,
    });
  });

  it("F-07 --fix writes the quoted form and then finds nothing", async () => {
    const cwd = project();
    const { exitCode, report } = await lintJson([".agent/skills/colon", "--fix"], cwd);
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({ fixed: 1, warnings: 0, diagnostics: [] });
    expect(readFileSync(join(cwd, ".agent/skills/colon/SKILL.md"), "utf8")).toBe(
      COLON.replace(/^description: (.*)$/m, 'description: "$1"'),
    );
  });

  it("F-06 takes a skill, a SKILL.md, a root and a glob for the same skills", async () => {
    const cwd = project();
    for (const path of ["good", "good/SKILL.md", "g*d", "{good,none}"]) {
      const { report } = await lintJson([`.agent/skills/${path}`], cwd);
      expect(report, path).toMatchObject({ files: 1, errors: 0 });
    }
    expect((await lintJson(["."], cwd)).report.files).toBe(3);
  });

  it("F-06 --root and --source choose where to look", async () => {
    const home = temporaryFolder({ ".claude/skills/good/SKILL.md": GOOD });
    const cwd = temporaryFolder({ "more/good/SKILL.md": GOOD });
    const run = (args: string[]) => runCli(["lint", ...args], { cwd, env: { HOME: home } });
    expect((await run(["--root", "more"])).stdout).toContain("No problems in 1 skill");
    expect((await run(["--source", "user"])).stdout).toContain("No problems in 1 skill");
    expect((await run(["--source", "elsewhere"])).exitCode).toBe(2);
  });

  it("F-06 --max-warnings turns too many warnings into a no", async () => {
    const cwd = project();
    const run = (limit: string) =>
      runCli(["lint", ".agent/skills/colon", "--max-warnings", limit], { cwd });
    expect((await run("1")).exitCode).toBe(0);
    expect((await run("0")).exitCode).toBe(1);
    expect((await run("few")).exitCode).toBe(2);
  });

  it("F-06 severities come from the configuration, and --rule counts more", async () => {
    const cwd = project();
    const config = join(
      temporaryFolder({
        "config.json":
          '{ // why\n "lint": { "rules": { "yaml-repaired": "error", "nonsense": "off", } } }',
      }),
      "config.json",
    );
    const path = ".agent/skills/colon";
    const configured = await runCli(["lint", path, "--config", config], { cwd });
    expect(configured.exitCode).toBe(1);
    expect(configured.stderr).toContain("lint.rules.nonsense");
    const args = ["lint", path, "--config", config, "--rule", "yaml-repaired=off"];
    expect((await runCli(args, { cwd })).stdout).toContain("No problems");
  });

  it("F-06 a rule that keeps a skill from loading cannot be turned off", async () => {
    const args = ["lint", ".agent/skills/silent", "--rule", "description-missing=off"];
    const { exitCode, stderr } = await runCli(args, { cwd: project() });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("cannot be changed");
  });

  it("F-06 says what was wrong with the call and exits 2", async () => {
    const cwd = project();
    for (const args of [
      ["lint", "no/such/path"],
      ["lint", "--nonsense"],
      ["lint", "--format", "xml"],
      ["lint", "--json", "--format", "sarif"],
      ["lint", "--rule", "nam-mismatch=off"],
      ["lint", "--rule", "name-mismatch=loud"],
      ["lint", "--config", "missing.json"],
      ["nonsense"],
      [],
    ]) {
      const { exitCode, stdout, stderr } = await runCli(args, { cwd });
      expect(exitCode, args.join(" ")).toBe(2);
      expect(stdout === "").toBe(!args.includes("--json"));
      expect(stderr).not.toBe("");
    }
  });

  it("F-06 a configuration that is no JSON is an error", async () => {
    const cwd = temporaryFolder({ ".agent/config.json": "{", "skills/good/SKILL.md": GOOD });
    const { exitCode, stderr } = await runCli(["lint"], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("not JSON");
  });

  it("F-06 nothing to check is exit 4 with what to do", async () => {
    const empty = temporaryFolder({ "docs/readme.txt": "hello" });
    expect((await runCli(["lint"], { cwd: empty })).exitCode).toBe(4);
    const { exitCode, stderr } = await runCli(["lint", "docs"], { cwd: empty });
    expect(exitCode).toBe(4);
    expect(stderr).toContain("SKILL.md");
  });

  it("F-06 prints failures as JSON too when asked for JSON", async () => {
    const { stdout } = await runCli(["lint", "nowhere", "--json"], { cwd: temporaryFolder() });
    expect(JSON.parse(stdout)).toMatchObject({
      schemaVersion: 1,
      error: { message: expect.any(String) },
    });
  });

  it("F-06 --format github and sarif print their formats", async () => {
    const cwd = project();
    const github = await runCli(["lint", "--format", "github"], { cwd });
    expect(github.stdout).toMatch(
      /^::warning file=\.agent\/skills\/colon\/SKILL\.md,line=3,col=14/,
    );
    const sarif = await runCli(["lint", "--format", "sarif"], { cwd });
    expect(JSON.parse(sarif.stdout)).toMatchObject({ version: "2.1.0" });
  });

  it("F-06 quiet shows errors only, verbose shows notes too", async () => {
    const cwd = project();
    const shown = async (...args: string[]) => (await runCli(["lint", ...args], { cwd })).stdout;
    expect(await shown()).toContain("yaml-repaired");
    expect(await shown()).not.toContain("section-missing");
    expect(await shown("--quiet")).not.toContain("yaml-repaired");
    expect(await shown("--verbose")).toContain("section-missing");
  });

  it("F-06 colours a terminal, unless told not to", async () => {
    const cwd = project();
    const escape = "\u001B[";
    const run = (args: string[], env = {}) => runCli(["lint", ...args], { cwd, env, isTTY: true });
    expect((await run([])).stdout).toContain(escape);
    expect((await run(["--no-color"])).stdout).not.toContain(escape);
    expect((await run([], { NO_COLOR: "1" })).stdout).not.toContain(escape);
  });

  it("F-08 nothing from a skill acts on the terminal", async () => {
    const evil =
      '---\nname: "x\\u001b]0;owned\\u0007"\ndescription: "a \\u202e b"\n---\n\u001b[2Jbody\n';
    const cwd = temporaryFolder({ "skills/x/SKILL.md": evil });
    for (const format of ["human", "github", "sarif", "json"]) {
      const { stdout } = await runCli(["lint", "--verbose", "--format", format], { cwd });
      // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
      expect(stdout, format).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u202E]/);
    }
  });
});
