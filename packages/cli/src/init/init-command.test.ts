import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { lintSkill } from "@skillwright/core";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { workplace } from "../../../../test/support/workplace.ts";

const FILES = [
  ".agent/config.json",
  ".agent/config.schema.json",
  ".agent/skills/README.md",
  ".agent/skills/example-skill/SKILL.md",
  ".agent/skills/example-skill/evals/evals.json",
  ".gitignore",
];

describe("skillwright init", () => {
  it("C-01 writes all that a project needs, says so, and ends with three commands", async () => {
    const { cwd, run } = workplace({});
    const { exitCode, stdout, stderr } = await run("init");
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(filesIn(cwd)).toEqual(FILES);
    for (const file of FILES) expect(stdout).toContain(`Created  ${file}`);
    expect(stdout).toMatch(/skillwright lint --strict --format github/);
    const [, next = ""] = stdout.split("\nNext:\n");
    expect(next.trimEnd().split("\n")).toHaveLength(3);
  });

  it("C-01 F-09 the example lints clean, strictly, and is found without a complaint", async () => {
    const { cwd, run, json } = workplace({});
    await run("init");
    const example = join(cwd, ".agent/skills/example-skill");
    expect((await lintSkill(example, { strict: true })).diagnostics).toEqual([]);
    expect((await run("lint", "--strict", "--max-warnings", "0")).exitCode).toBe(0);
    const { skills, diagnostics } = await json("list", "--source", "project");
    expect(skills).toMatchObject([{ name: "example-skill" }]);
    expect(diagnostics).toEqual([]);
    const evals = JSON.parse(readFileSync(join(example, "evals/evals.json"), "utf8")) as object;
    const text = expect.any(String) as unknown;
    expect(evals).toMatchObject({
      skill_name: "example-skill",
      evals: [
        { id: 1, prompt: text, expected_output: text, assertions: [{ text }, { text }] },
        { id: 2, prompt: text, should_trigger: false, assertions: [{ text }] },
      ],
    });
  });

  it("C-01 run again it changes nothing", async () => {
    const { cwd, run, json } = workplace({ ".gitignore": "dist" });
    await run("init", "--ci", "github");
    const before = contentOf(cwd);
    const { created, kept, next, schemaVersion } = await json("init", "--ci", "github");
    expect({ created, schemaVersion }).toEqual({ created: [], schemaVersion: 1 });
    expect(kept).toEqual(expect.arrayContaining([...FILES, ".github/workflows/skills.yml"]));
    expect(next).toHaveLength(3);
    expect(contentOf(cwd)).toEqual(before);
    const { stdout } = await run("init");
    expect(contentOf(cwd)).toEqual(before);
    expect(stdout).toContain("Kept     .github/workflows/skills.yml (it is there already)");
    expect(stdout).not.toContain("runs-on");
  });

  it("C-01 keeps every file that is there, and goes on", async () => {
    const mine = Object.fromEntries(
      FILES.filter((file) => file !== ".gitignore").map((file) => [file, "mine"]),
    );
    const { cwd, run } = workplace({ ...mine, ".gitignore": "*.log\r\n" });
    const { exitCode, stdout } = await run("init", "--ci", "github");
    expect(exitCode).toBe(0);
    for (const file of Object.keys(mine)) {
      expect(readFileSync(join(cwd, file), "utf8")).toBe("mine");
      expect(stdout).toContain(`Kept     ${file} (it is there already)`);
    }
    expect(readFileSync(join(cwd, ".gitignore"), "utf8")).toMatch(/^\*\.log\r\n\r\n#.*\r\n.*\r\n$/);
    expect(existsSync(join(cwd, ".github/workflows/skills.yml"))).toBe(true);
  });

  it("C-01 does not bring the example to those who have skills", async () => {
    const { cwd, run } = workplace({ ".agent/skills/mine/SKILL.md": "mine" });
    await run("init");
    expect(readdirSync(join(cwd, ".agent/skills")).sort()).toEqual(["README.md", "mine"]);
  });

  it("C-01 --dry-run writes nothing and shows the same", async () => {
    const { cwd, run, json } = workplace({});
    const planned = await json("init", "--dry-run");
    expect(planned).toMatchObject({ dryRun: true, kept: [] });
    const { stdout } = await run("init", "--dry-run");
    expect(stdout).toContain("Nothing was written.");
    expect(filesIn(cwd)).toEqual([]);
    expect((await json("init"))["created"]).toEqual(planned["created"]);
  });

  it("C-01 --json prints one document and nothing else", async () => {
    const { run } = workplace({});
    const { stdout, stderr } = await run("init", "--json");
    expect(Object.keys(JSON.parse(stdout) as object)).toEqual([
      "schemaVersion",
      "created",
      "kept",
      "next",
    ]);
    expect(stderr).toBe("");
  });

  it("C-01 prepares the project that one is in, or the folder that is named", async () => {
    const { cwd, home, run } = workplace({ "deep/down/x": "" });
    await run("init", "--cwd", join(cwd, "deep/down"));
    expect(existsSync(join(cwd, ".agent/config.json"))).toBe(true);
    const { stdout } = await run("init", "a new/one");
    expect(existsSync(join(cwd, "a new/one/.agent/config.json"))).toBe(true);
    expect(stdout).toContain(`skillwright lint --cwd '${join(cwd, "a new/one")}'`);
    writeFileSync(join(cwd, "file"), "");
    expect((await run("init", "file")).exitCode).toBe(2);
    expect(filesIn(home)).toEqual([]);
  });

  it.each([
    [".agent", "../out"],
    [".agent", "../out/later"],
    [".agent/skills", "../../out"],
    [".agent/skills/example-skill", "../../../out"],
    [".github", "../out"],
  ])("C-01 R-12 does not leave the project by %s -> %s", async (path, target) => {
    const outer = temporaryFolder({ "out/x": "", "project/.git/HEAD": "" });
    const project = join(outer, "project");
    const { run } = workplace({});
    mkdirSync(join(project, path, ".."), { recursive: true });
    symlinkSync(target, join(project, path));
    const { exitCode, stderr } = await run("init", project, "--ci", "github");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("leads out of the project");
    expect(filesIn(join(outer, "out"))).toEqual(["x"]);
    expect(filesIn(project)).toEqual([]);
  });

  it("C-01 a file where a folder must be is refused before anything is written", async () => {
    const { cwd, run } = workplace({ ".github": "a file" });
    const { exitCode, stderr } = await run("init", "--ci", "github");
    expect(exitCode).toBe(2);
    expect(stderr).toContain(".github is not a folder");
    expect(filesIn(cwd)).toEqual([".github"]);
  });

  it("C-01 a link that stays inside is fine", async () => {
    const { cwd, run } = workplace({ "tools/agent/x": "" });
    symlinkSync("tools/agent", join(cwd, ".agent"));
    expect((await run("init")).exitCode).toBe(0);
    expect(existsSync(join(cwd, "tools/agent/skills/README.md"))).toBe(true);
  });

  it("C-01 R-12 writes through no link to a file, wherever it leads", async () => {
    const { cwd, home, run } = workplace({ ".agent/x": "" }, { rules: "theirs\n" });
    symlinkSync(join(home, "rules"), join(cwd, ".gitignore"));
    symlinkSync(join(home, "later"), join(cwd, ".agent/config.json"));
    const { exitCode, stdout } = await run("init");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Kept     .gitignore (it is a link; add .agent/runs/ yourself)");
    expect(readFileSync(join(home, "rules"), "utf8")).toBe("theirs\n");
    expect(existsSync(join(home, "later"))).toBe(false);
    expect(lstatSync(join(cwd, ".gitignore")).isSymbolicLink()).toBe(true);
  });

  it("C-01 keeps bytes and mode of a .gitignore in another encoding", async () => {
    const { cwd, run } = workplace({});
    const file = join(cwd, ".gitignore");
    const bytes = Buffer.from([0x67, 0xe4, 0xff, 0x0a]);
    writeFileSync(file, bytes);
    chmodSync(file, 0o640);
    await run("init");
    expect(readFileSync(file).subarray(0, 4)).toEqual(bytes);
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it("C-01 leaves no temporary file", async () => {
    const { cwd, run } = workplace({ ".gitignore": "x" });
    await run("init", "--ci", "github");
    expect(filesIn(cwd).filter((file) => file.includes(".init-"))).toEqual([]);
  });

  it("C-01 the workflow calls commands that there are", async () => {
    const { cwd, run } = workplace({});
    await run("init", "--ci", "github");
    const text = readFileSync(join(cwd, ".github/workflows/skills.yml"), "utf8");
    // An unpublished name could be anybody's.
    expect(text).not.toMatch(/npx|skillwright@/);
    expect(text).toMatch(/npm install --global \.\/vendor\/skillwright-[\d.]+\.tgz/);
    const calls = Array.from(text.matchAll(/run: skillwright (.*)/g), ([, words = ""]) => words);
    expect(calls.map((words) => words.split(" ")[0])).toEqual(["lint", "scan", "verify", "eval"]);
    for (const words of calls.slice(0, 3)) {
      expect((await run(...words.split(" "), "--help")).exitCode, words).toBe(0);
    }
    expect((await run("lint", "--strict", "--format", "github")).exitCode).toBe(0);
  });

  it("C-01 --ci takes only what there is, and --force is not offered", async () => {
    const { run } = workplace({});
    expect((await run("init", "--ci", "other")).exitCode).toBe(2);
    expect((await run("init", "--force")).exitCode).toBe(2);
  });
});

/** Without the repository's own. */
function filesIn(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((file) => !file.startsWith(".git/"))
    .sort();
}

function contentOf(folder: string): Record<string, string> {
  const files = filesIn(folder);
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
}
