import { execFileSync } from "node:child_process";
import { chmod, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SkillFolder, VALID } from "../../../../test/support/skill-folder.ts";
import { directoryRules } from "../internal/index.ts";
import { lintSkill } from "./index.ts";

type Code = (typeof directoryRules)[number]["code"];

/** For each rule the least that violates it; a rule without an entry does not compile. */
const VIOLATIONS: Record<Code, (folder: SkillFolder) => Promise<void> | void> = {
  "directory-too-large": async (folder) => {
    await folder.write({ "assets/a.bin": "" });
    await truncate(folder.file("assets/a.bin"), 50 * 1024 * 1024);
  },
  "encoding-invalid": (folder) => folder.write({ "SKILL.md": Buffer.from(`${VALID}é`, "latin1") }),
  "executable-bit": async (folder) => {
    await folder.write({ "references/a.md": "" });
    await chmod(folder.file("references/a.md"), 0o755);
  },
  "file-misplaced": (folder) => folder.write({ "run.py": "" }),
  "link-inside": (folder) => symlink("SKILL.md", folder.file(".link")),
  "path-collision": (folder) => folder.write({ "assets/A": "", "assets/a": "" }),
  "path-unsafe": (folder) => folder.write({ "assets/aux": "" }),
  "reference-dead": (folder) => folder.write({ "SKILL.md": `${VALID}[a](a.md)` }),
  "reference-outside": (folder) => folder.write({ "SKILL.md": `${VALID}[a](../a.md)` }),
  "skill-file-missing": (folder) => folder.remove(),
  "skill-file-too-large": (folder) => truncate(folder.file("SKILL.md"), 1024 * 1024 + 1),
  "skill-file-unreadable": async (folder) => {
    await writeFile(join(folder.root, "other.md"), VALID);
    execFileSync("ln", ["-sf", "../other.md", folder.file("SKILL.md")]);
  },
  "special-file": (folder) => void execFileSync("mkfifo", [folder.file(".pipe")]),
};

let folder: SkillFolder;

beforeEach(async () => {
  folder = await SkillFolder.create();
  await folder.write({ "SKILL.md": VALID });
});

afterEach(() => folder.remove());

describe("directoryRules", () => {
  it.each(directoryRules)("F-06 $code has a violation and the severities it says", async (rule) => {
    const { code, severity, strict = severity, effect } = rule;
    await VIOLATIONS[code](folder);
    const expected = (severity: string) => expect.stringContaining(`${severity} ${code} `);
    expect(await folder.findings()).toContainEqual(expected(severity));
    expect(await folder.findings({ strict: true })).toContainEqual(expected(strict));
    const off = await folder.findings({ rules: { [code]: "off" } });
    expect(off.some((finding) => finding.includes(` ${code} `))).toBe(effect === "skipped");
  });
});

describe("files of a skill", () => {
  it("F-08 may be 2,000 and not one more", async () => {
    await folder.write({ "assets/0": "" });
    for (let i = 1; i < 1999; i++) await writeFile(folder.file(`assets/${i}`), "");
    expect(await folder.findings()).toEqual([]);
    await folder.write({ "assets/last": "" });
    expect(await folder.findings()).toEqual(["warning directory-too-large SKILL.md:1:1"]);
  });

  it("F-08 may be sparse and huge without being read", async () => {
    await folder.write({ "assets/sparse.bin": "" });
    await truncate(folder.file("assets/sparse.bin"), 1024 ** 3);
    expect(await folder.findings()).toEqual(["warning directory-too-large SKILL.md:1:1"]);
  });

  it("F-08 must not be links, wherever these lead", async () => {
    await folder.write({ "references/a.md": "" });
    await symlink("a.md", folder.file("references/b.md"));
    await symlink("/etc", folder.file("references/etc"));
    await symlink("nowhere", folder.file("references/dangling"));
    await symlink("..", folder.file("references/loop"));
    expect(await folder.findings()).toEqual([
      "error link-inside references/b.md:1:1",
      "error link-inside references/dangling:1:1",
      "error link-inside references/etc:1:1",
      "error link-inside references/loop:1:1",
    ]);
  });

  it("F-09 should stand in the usual folders", async () => {
    await folder.write({ "run.py": "" });
    const { diagnostics } = await lintSkill(folder.path);
    expect(diagnostics).toMatchObject([{ code: "file-misplaced", hint: "move it to `scripts/`" }]);
    // One line however many there are.
    await folder.write({ "docs/a.md": "", "notes.md": "", "data.bin": "" });
    const { diagnostics: several } = await lintSkill(folder.path);
    expect(several.map(({ message }) => message)).toEqual([
      "`data.bin` and 3 other files are outside the usual folders",
    ]);
  });

  it("F-09 need not be there where the body only shows an example", async () => {
    const body = [
      "Read references/forms.md.",
      "Name it for example references/mine.md.",
      "```yaml",
      "file: scripts/yours.py",
      "```",
      "## Example",
      "Run scripts/example.py.",
      "## Steps",
      "```sh",
      "python scripts/run.py",
      "```",
    ].join("\n");
    await folder.write({
      "SKILL.md": `---\nname: dates\ndescription: Formats. Use when asked.\n---\n${body}\n`,
    });
    const { diagnostics } = await lintSkill(folder.path);
    const dead = diagnostics.filter(({ code }) => code === "reference-dead");
    expect(dead.map(({ message }) => message)).toEqual([
      "`references/forms.md` does not exist",
      "`scripts/run.py` does not exist",
    ]);
  });

  it("F-09 should be executable when they are scripts and not when they are documents", async () => {
    await folder.write({ "scripts/a.sh": "", "scripts/b.sh": "", "scripts/c.py": "" });
    await chmod(folder.file("scripts/a.sh"), 0o755);
    expect(await folder.findings()).toEqual(["info executable-bit scripts/b.sh:1:1"]);
    await chmod(folder.file("SKILL.md"), 0o744);
    expect(await folder.findings()).toContain("info executable-bit SKILL.md:1:1");
  });

  it.each([
    ["case", "assets/Forms.md", "assets/forms.md"],
    ["Unicode composition", "assets/\u00e9.md", "assets/e\u0301.md"],
    ["the case of a folder", "assets/A/x.md", "assets/a/x.md"],
    ["the case of SKILL.md", "SKILL.md", "skill.md"],
  ])("F-08 must not differ only by %s", async (_, one, other) => {
    await folder.write({ [one]: VALID, [other]: VALID });
    const [finding = "", ...more] = await folder.findings();
    expect(finding).toMatch(/^error path-collision /);
    expect(more).toEqual([]);
  });

  it.each(["a\nb", "\u001B[2J", "a\\b", "a:b", "a*", "con", "COM1.txt", "nul.tar.gz", "a.", "a "])(
    "F-08 must not be named %j",
    async (name) => {
      await folder.write({ [`assets/${name}`]: "" });
      expect(await folder.findings()).toEqual([`error path-unsafe assets/${name}:1:1`]);
    },
  );

  it("F-08 must have names in UTF-8", async () => {
    await folder.write({ "assets/a": "" });
    await writeFile(Buffer.concat([Buffer.from(folder.file("assets/")), Buffer.from([0xff])]), "");
    expect(await folder.findings()).toEqual(["error path-unsafe assets/\uFFFD:1:1"]);
  });
});

describe("references of the body", () => {
  it("F-09 must not be dead", async () => {
    const body =
      "See [a](references/a.md), [b](references/A.md)\nand `scripts/run.py`.\n[c]: assets\n";
    await folder.write({ "SKILL.md": VALID + body, "references/a.md": "", "assets/x": "" });
    const { diagnostics } = await lintSkill(folder.path);
    expect(diagnostics.map(({ code, line, column, hint }) => [code, line, column, hint])).toEqual([
      ["reference-dead", 11, 31, expect.stringContaining("references/a.md")],
      ["reference-dead", 12, 6, undefined],
    ]);
  });

  it("F-09 are found whatever newlines the file has", async () => {
    const text = `${VALID}[a](a.md)\n`;
    await folder.write({ "SKILL.md": `\uFEFF${text.replaceAll("\n", "\r\n")}` });
    expect(await folder.findings()).toEqual(["warning reference-dead SKILL.md:11:5"]);
  });

  it("F-09 are compared by characters, not by bytes", async () => {
    const body = "[a](references/\u00e9.md) [b](references/x%20y.md)\n";
    await folder.write({ "SKILL.md": VALID + body });
    await folder.write({ "references/e\u0301.md": "", "references/x y.md": "" });
    expect(await folder.findings()).toEqual([]);
  });

  it.each(["../other/SKILL.md", "references/../../x.md", "%2e%2e/x.md"])(
    "F-09 must not lead outside: %s",
    async (path) => {
      await folder.write({ "SKILL.md": `${VALID}[a](${path})\n` });
      await writeFile(join(folder.root, "x.md"), "");
      expect(await folder.findings()).toEqual(["warning reference-outside SKILL.md:11:5"]);
    },
  );
});
