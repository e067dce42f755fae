import { execFileSync } from "node:child_process";
import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SkillFolder, VALID } from "../../../../test/support/skill-folder.ts";
import { lintSkill } from "./index.ts";

let folder: SkillFolder;

beforeEach(async () => {
  folder = await SkillFolder.create();
});

afterEach(() => folder.remove());

describe("a skill's folder", () => {
  it("F-01 has nothing to report when all is well", async () => {
    await folder.write({
      "SKILL.md": `${VALID}[a](references/a.md) scripts/run.py assets/\n`,
      "references/a.md": "",
      "scripts/run.py": "",
      "assets/x/y.png": "",
      "evals/cases.json": "",
      "LICENSE.txt": "",
      "README.md": "",
      ".gitignore": "",
    });
    expect(await folder.findings({ strict: true })).toEqual([]);
    const { skill, file, text } = await lintSkill(folder.path);
    expect(skill).toMatchObject({ name: "dates", bodyLine: 5 });
    expect(file).toBe(folder.file("SKILL.md"));
    expect(text).toContain(VALID);
  });

  it("F-02 must have the skill's name", async () => {
    await folder.write({ "SKILL.md": VALID.replace("name: dates", "name: times") });
    expect(await folder.findings()).toEqual(["warning name-mismatch SKILL.md:2:7"]);
    expect(await folder.findings({ strict: true })).toEqual(["error name-mismatch SKILL.md:2:7"]);
  });

  it("F-01 must be there, and a folder", async () => {
    const missing = ["error skill-file-missing SKILL.md:1:1"];
    await writeFile(join(folder.root, "file"), "");
    expect(await folder.findings({}, join(folder.root, "nowhere"))).toEqual(missing);
    expect(await folder.findings({}, join(folder.root, "file"))).toEqual(missing);
  });

  it("F-01 may be a link, whose name then counts", async () => {
    await folder.write({ "SKILL.md": VALID });
    const links = join(folder.root, "links");
    await mkdir(links);
    await symlink("../dates", join(links, "dates"));
    await symlink("../dates", join(links, "other"));
    const mismatch = ["warning name-mismatch SKILL.md:2:7"];
    expect(await folder.findings({}, join(links, "dates"))).toEqual([]);
    expect(await folder.findings({}, `${join(links, "other")}/`)).toEqual(mismatch);
  });

  it("F-08 may be nested beyond measure without keeping the linter busy", async () => {
    await folder.write({ "SKILL.md": VALID });
    const deep = Array.from({ length: 200 }, () => "d");
    await mkdir(folder.file(join("assets", ...deep)), { recursive: true });
    expect(await folder.findings()).toEqual(["warning directory-too-large SKILL.md:1:1"]);
  });

  it("F-06 is checked with the severities that are set", async () => {
    await folder.write({ "SKILL.md": VALID, "run.py": "" });
    const raised = await folder.findings({ rules: { "file-misplaced": "error" } });
    expect(raised).toEqual(["error file-misplaced run.py:1:1"]);
    expect(await folder.findings({ rules: { "file-misplaced": "off" } })).toEqual([]);
  });
});

describe("SKILL.md", () => {
  it("F-01 must be there under exactly this name", async () => {
    expect(await folder.findings()).toEqual(["error skill-file-missing SKILL.md:1:1"]);
    await folder.write({ "skill.md": VALID });
    expect(await folder.findings()).toEqual(["error skill-file-missing SKILL.md:1:1"]);
    const { diagnostics } = await lintSkill(folder.path);
    expect(diagnostics[0]?.message).toContain("skill.md");
    expect(diagnostics[0]?.hint).toContain("rename");
  });

  it("F-01 must not be a folder", async () => {
    await mkdir(folder.file("SKILL.md"));
    expect(await folder.findings()).toEqual(["error skill-file-missing SKILL.md:1:1"]);
  });

  it.each(["../outside.md", "references/a.md", "nowhere", "/proc/self/environ"])(
    "F-08 must not be a link to %s",
    async (target) => {
      await writeFile(join(folder.root, "outside.md"), VALID);
      await folder.write({ "references/a.md": VALID });
      await symlink(target, folder.file("SKILL.md"));
      const { skill, text } = await lintSkill(folder.path);
      expect([skill, text]).toEqual([undefined, ""]);
      expect(await folder.findings()).toEqual([
        "error link-inside SKILL.md:1:1",
        "error skill-file-unreadable SKILL.md:1:1",
      ]);
    },
  );

  it("F-08 must not be a pipe, and nobody waits for one", async () => {
    execFileSync("mkfifo", [folder.file("SKILL.md")]);
    expect(await folder.findings()).toEqual([
      "error skill-file-unreadable SKILL.md:1:1",
      "error special-file SKILL.md:1:1",
    ]);
  });

  it("F-08 may have 1 MiB and not a byte more", async () => {
    const size = 1024 * 1024;
    await folder.write({ "SKILL.md": VALID.padEnd(size, "x") });
    expect((await lintSkill(folder.path)).skill).toBeDefined();
    await folder.write({ "SKILL.md": VALID.padEnd(size + 1, "x") });
    expect(await folder.findings()).toEqual(["error skill-file-too-large SKILL.md:1:1"]);
    await truncate(folder.file("SKILL.md"), 1024 ** 3);
    expect(await folder.findings()).toEqual([
      "error skill-file-too-large SKILL.md:1:1",
      "warning directory-too-large SKILL.md:1:1",
    ]);
  });

  it("F-01 is read with a byte order mark and CRLF", async () => {
    await folder.write({ "SKILL.md": `\uFEFF${VALID.replaceAll("\n", "\r\n")}` });
    expect(await folder.findings({ strict: true })).toEqual([]);
    expect((await lintSkill(folder.path)).text).toBe(VALID);
  });

  it.each([
    ["UTF-16, little end first", Buffer.from(`\uFEFF${VALID}`, "utf16le")],
    ["UTF-16, big end first", Buffer.from(`\uFEFF${VALID}`, "utf16le").swap16()],
    ["Latin-1", Buffer.from(`${VALID}caf\u00e9\n`, "latin1")],
    ["a truncated character", Buffer.concat([Buffer.from(VALID), Buffer.from([0xe4, 0xbd])])],
  ])("F-06 is read and reported in %s", async (_, content) => {
    await folder.write({ "SKILL.md": content });
    expect(await folder.findings()).toEqual(["warning encoding-invalid SKILL.md:1:1"]);
    expect((await lintSkill(folder.path)).skill?.name).toBe("dates");
  });

  it("F-06 may hold the replacement character itself", async () => {
    await folder.write({ "SKILL.md": `${VALID}\uFFFD\n` });
    expect(await folder.findings()).toEqual([]);
  });

  it("F-06 that cannot be read does not hide the findings about other files", async () => {
    await folder.write({ "SKILL.md": "---\nname: 'x\n---\n", "run.py": "" });
    await symlink("/etc", folder.file("etc"));
    expect(await folder.findings()).toEqual([
      "error link-inside etc:1:1",
      "error yaml-invalid SKILL.md:3:1",
      "info file-misplaced etc:1:1",
      "warning body-empty SKILL.md:4:1",
    ]);
  });
});
