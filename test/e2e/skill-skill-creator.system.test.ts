import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { lintSkill, parseSkill } from "@skillwright/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyUnits } from "../arbitraries/hostile-text.ts";
import { builtCli } from "../support/built-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SKILLS = fileURLToPath(new URL("../../skills", import.meta.url));
const SKILL = join(SKILLS, "skill-creator");
const GOOD =
  "Writes release notes from commits. Use when someone asks what has changed in a release.";

interface Evals {
  readonly skill_name: string;
  readonly evals: readonly {
    readonly id: number;
    readonly prompt: string;
    readonly should_trigger: boolean;
    readonly files: readonly string[];
    readonly expectations: readonly string[];
  }[];
}

/** Without skillwright on the PATH, unless a folder with one is given. */
function run(script: string, args: readonly string[], cwd: string, path = "/nowhere") {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(SKILL, "scripts", script), ...args],
    { cwd, encoding: "utf8", env: { PATH: path } },
  );
  return { status, stdout, stderr };
}

const draft = (args: readonly string[], cwd: string) => run("draft.mjs", args, cwd);
const check = (args: readonly string[], cwd: string) => run("check.mjs", args, cwd);

describe("skill-creator", () => {
  it("F-09 lints clean, strictly and to the last note", async () => {
    expect((await lintSkill(SKILL, { strict: true })).diagnostics).toEqual([]);
  });

  it("N-03 has evals in the usual shape, with negatives", () => {
    const { skill_name, evals } = JSON.parse(
      readFileSync(join(SKILL, "evals/evals.json"), "utf8"),
    ) as Evals;
    expect(skill_name).toBe("skill-creator");
    expect(evals.length).toBeGreaterThanOrEqual(6);
    expect(evals.filter(({ should_trigger }) => !should_trigger).length).toBeGreaterThanOrEqual(2);
  });
});

describe("draft.mjs", () => {
  it("F-09 makes a skill that lints clean, to the last note, and that its own check accepts", async () => {
    const cwd = temporaryFolder();
    for (const name of ["release-notes", "a", "数据-分析", "x1-2"]) {
      const { status, stdout, stderr } = draft([name, "--description", GOOD], cwd);
      expect([status, stderr, stdout]).toEqual([
        0,
        "",
        expect.stringContaining("created .agent/skills"),
      ]);
      const folder = join(cwd, ".agent/skills", name);
      expect((await lintSkill(folder, { strict: true })).diagnostics, name).toEqual([]);
      expect(check([folder], cwd)).toMatchObject({ status: 0 });
      const evals = JSON.parse(readFileSync(join(folder, "evals/evals.json"), "utf8")) as Evals;
      expect(evals.skill_name).toBe(name);
    }
  });

  it("F-09 keeps any description that is allowed, whatever stands in it", () => {
    const cwd = temporaryFolder();
    const written = (description: string) => {
      const { status, stdout } = draft(["x", "--print", `--description=${description}`], cwd);
      const text = /==> SKILL\.md <==\n([^]*?)\n==> evals/.exec(stdout)?.[1] ?? "";
      return { status, description: parseSkill(text).skill?.description };
    };
    for (const text of [
      'Writes: "notes" # no comment. Use when asked.',
      "- [a]: {b} & *c !d | e > f % @ ` Use when asked for it.",
      "yes",
      "整理会议纪要。当用户要整理会议内容时使用。",
      "It's 'quoted' \\ and back. Use when asked for quotes.",
    ])
      expect(written(text)).toEqual({ status: 0, description: text });
    expect(written("two\nlines\u0001and\u2028more. Use when it is so.")).toEqual({
      status: 0,
      description: "two lines and more. Use when it is so.",
    });
    expect(written("Writes notes\uFFFE. Use when asked.")).toEqual({
      status: 0,
      description: "Writes notes. Use when asked.",
    });
    fc.assert(
      fc.property(anyUnits, (units) => {
        const given = `Writes ${units.replaceAll("\0", "")}`;
        const { status, description } = written(given);
        const isKept = description?.startsWith("Writes") === true;
        expect(status === 2 || (status === 0 && isKept)).toBe(true);
      }),
      { numRuns: 15 },
    );
  });

  it("F-02 refuses bad names and descriptions, and writes nothing", () => {
    const cwd = temporaryFolder();
    const cases: [args: string[], message: string][] = [
      [["PDF_Tools", "--description", GOOD], "pdf-tools"],
      [["../evil", "--description", GOOD], "only letters"],
      [["a/b", "--description", GOOD], "only letters"],
      [["a--b", "--description", GOOD], "two hyphens"],
      [["x".repeat(65), "--description", GOOD], "64"],
      [["", "--description", GOOD], "empty"],
      [["good"], "--description"],
      [["good", "--description", "  "], "empty"],
      [["good", "--description", "x".repeat(1025)], "1025"],
      [["good", "--description", "Makes <script>x</script>. Use when asked."], "tag"],
      [["good", "more", "--description", GOOD], "give one name"],
    ];
    for (const [args, message] of cases) {
      const { status, stdout, stderr } = draft(args, cwd);
      expect([status, stdout], args.join(" ").slice(0, 60)).toEqual([2, ""]);
      expect(stderr).toContain(message);
    }
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("F-09 never touches what is there, and goes where skills are kept", () => {
    const cwd = temporaryFolder({ ".claude/skills/mine/SKILL.md": "precious" });
    const again = draft(["mine", "--description", GOOD], cwd);
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining("is there already")]);
    expect(readFileSync(join(cwd, ".claude/skills/mine/SKILL.md"), "utf8")).toBe("precious");
    expect(draft(["two", "--description", GOOD], cwd).stdout).toContain(".claude/skills/two");
    expect(draft(["two", "--description", GOOD, "--dir", "else"], cwd).stdout).toContain(
      "else/two",
    );
    expect(readdirSync(join(cwd, ".claude/skills")).toSorted()).toEqual(["mine", "two"]);
  });

  it.skipIf(process.getuid?.() === 0)("F-09 prints what it may not write", () => {
    const cwd = temporaryFolder();
    chmodSync(cwd, 0o500);
    const { status, stdout, stderr } = draft(["release-notes", "--description", GOOD], cwd);
    chmodSync(cwd, 0o700);
    expect([status, stderr]).toEqual([0, expect.stringContaining("may not be written")]);
    expect(stdout).toContain("==> evals/evals.json <==");
  });
});

describe("check.mjs", () => {
  const skill = (text: string, files: Readonly<Record<string, string>> = {}) => {
    const cwd = temporaryFolder({ "notes/SKILL.md": text });
    for (const [path, content] of Object.entries(files)) writeFileSync(join(cwd, path), content);
    return cwd;
  };
  const front = (more = "", description = GOOD) =>
    `---\nname: notes\ndescription: ${description}\n${more}---\n`;
  const BODY = "\n# Notes\n\n1. Do it.\n";

  it("F-09 accepts every skill that comes along", () => {
    const folders = readdirSync(SKILLS).filter((name) => !name.startsWith("."));
    for (const name of ["report-writer", "skill-creator", "tabular-data", "unit-convert"]) {
      expect(folders).toContain(name);
      const { status, stdout } = check([join(SKILLS, name)], SKILLS);
      expect([status, stdout], name).toEqual([0, expect.stringContaining("rules are met")]);
      expect(stdout).toContain("skillwright lint --strict");
    }
  });

  it("F-02 F-09 finds what breaks a rule, and says it is an error", () => {
    const cases: [text: string, message: string][] = [
      ["# no front matter\n", "does not begin with front matter"],
      ["---\nname: notes\n", "does not begin with front matter"],
      [`---\nname: Notes_2\ndescription: ${GOOD}\n---\n${BODY}`, "try notes-2"],
      [`---\nname: other\ndescription: ${GOOD}\n---\n${BODY}`, "but the folder notes"],
      [`---\ndescription: ${GOOD}\n---\n${BODY}`, "has no name"],
      [`---\nname: notes\n---\n${BODY}`, "has no description"],
      [front("", '""') + BODY, "description is empty"],
      [front("", `Use when ${"x".repeat(1100)}`) + BODY, "1024 are allowed"],
      [front("", "Writes: notes. Use when asked.") + BODY, "put its value in quotes"],
      [front("name: notes\n") + BODY, "is there twice"],
      [front(`compatibility: ${"x".repeat(501)}\n`) + BODY, "500"],
      [front(), "no instructions"],
      [`${front()}${BODY}See [a](references/a.md).`, "references/a.md is named"],
      [`${front()}${BODY}Run \`node scripts/a.mjs\`.`, "scripts/a.mjs is named"],
      [`${front()}${BODY}See [a](../other/SKILL.md).`, "outside of the skill"],
      [`${front()}${BODY}See [a](references/%2e%2e/%2e%2e/b.md).`, "outside of the skill"],
    ];
    for (const [text, message] of cases) {
      const { status, stdout } = check(["notes"], skill(text));
      expect([status, stdout], text.slice(0, 200)).toEqual([1, expect.stringContaining(message)]);
      expect(stdout).toMatch(/^error: /m);
    }
  });

  it("F-09 warns of what weakens a skill, without failing", () => {
    const cases: [text: string, message: string][] = [
      [
        front("", "Writes release notes from the commits of a project.") + BODY,
        "does not say when",
      ],
      [front("", "I can write release notes. Use when asked for them.") + BODY, '"I can …"'],
      [front("version: 3\n") + BODY, "no key version"],
      [`${front()}\njust text`, "no headings"],
      [front() + BODY + "line\n".repeat(600), "lines; beyond 500"],
      [front() + BODY + "字".repeat(6000), "tokens; beyond 5000"],
    ];
    for (const [text, message] of cases) {
      const { status, stdout } = check(["notes"], skill(text));
      expect([status, stdout], message).toEqual([0, expect.stringContaining(message)]);
    }
    const cwd = temporaryFolder({ "notes/SKILL.md": front() + BODY, "notes/scripts/lost.mjs": "" });
    expect(check(["notes"], cwd).stdout).toContain("scripts/lost.mjs is never named");
  });

  it("F-09 reads what authors write in front matter", () => {
    for (const written of [
      `"${GOOD}"`,
      `'${GOOD}'`,
      `>-\n  ${GOOD.replace(". ", ".\n  ")}`,
      `|\n  ${GOOD}`,
      GOOD.replace(". ", ".\n  "),
    ]) {
      const text = `---\n# a comment\nname: notes\ndescription: ${written}\nmetadata:\n  version: "1.0"\n---\n${BODY}`;
      const { status, stdout } = check(["notes"], skill(text.replaceAll("\n", "\r\n")));
      expect([status, stdout], written).toEqual([0, expect.stringContaining("rules are met")]);
    }
  });

  it("F-09 refuses links, wrong names and bytes that are no text", () => {
    const cwd = skill(front() + BODY);
    symlinkSync("/etc/passwd", join(cwd, "notes/assets.txt"));
    expect(check(["notes"], cwd)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("is a link"),
    });
    const lower = temporaryFolder({ "notes/skill.md": front() + BODY });
    expect(check(["notes"], lower).stdout).toContain("must be written SKILL.md");
    writeFileSync(join(lower, "notes/SKILL.md"), Buffer.from([0x2d, 0xff, 0xfe]));
    expect(check(["notes"], lower).stdout).toContain("is not UTF-8");
    expect(check(["none"], cwd).status).toBe(2);
    expect(check([], cwd).status).toBe(2);
    expect(check(["--help"], cwd).status).toBe(0);
  });

  it("F-09 takes SKILL.md itself, and gives JSON", () => {
    const cwd = skill(front() + BODY);
    const { status, stdout } = check(["notes/SKILL.md", "--json"], cwd);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ errors: 0, warnings: 0, skillwright: null });
  });

  it("F-09 asks skillwright too when it is on the PATH", () => {
    const cwd = skill(front() + BODY);
    const bin = temporaryFolder({
      skillwright: `#!${process.execPath}\nconsole.log(process.argv.slice(2).join(" ")); process.exit(1);\n`,
    });
    chmodSync(join(bin, "skillwright"), 0o755);
    const { status, stdout } = run("check.mjs", ["notes"], cwd, bin);
    expect(status).toBe(1);
    expect(stdout).toContain(`lint --strict ${join(cwd, "notes")}`);
    expect(run("check.mjs", ["notes", "--alone"], cwd, bin).status).toBe(0);
  });

  it("F-09 says of any text whether it is fine, and never throws", () => {
    const cwd = temporaryFolder({ "notes/SKILL.md": "" });
    fc.assert(
      fc.property(anyUnits, fc.boolean(), (units, isFront) => {
        writeFileSync(
          join(cwd, "notes/SKILL.md"),
          isFront ? `---\n${units}\n---\n${units}` : units,
        );
        const { status, stderr } = check(["notes"], cwd);
        expect([status, stderr]).toEqual([1, ""]);
      }),
      { numRuns: 15 },
    );
  });
});

describe("suggest-evals.mjs", () => {
  it("N-03 gives cases of both kinds that do not name the skill's folder", () => {
    const cwd = temporaryFolder({
      "release-notes/SKILL.md": `---\nname: release-notes\ndescription: ${GOOD}\n---\nDo it.`,
      "会议纪要/SKILL.md":
        "---\nname: 会议纪要\ndescription: 把录音整理成纪要。当用户要整理会议内容时使用。\n---\n做。",
    });
    for (const folder of ["release-notes", "会议纪要"]) {
      const { status, stdout, stderr } = run("suggest-evals.mjs", [folder], cwd);
      expect([status, stderr]).toEqual([0, ""]);
      const { skill_name, evals } = JSON.parse(stdout) as Evals;
      expect(skill_name).toBe(basename(folder));
      expect(evals.map(({ id }) => id)).toEqual(evals.map((_, i) => i + 1));
      expect(evals.filter(({ should_trigger }) => should_trigger).length).toBeGreaterThanOrEqual(2);
      expect(evals.filter(({ should_trigger }) => !should_trigger)).toHaveLength(3);
      expect(new Set(evals.map(({ prompt }) => prompt)).size).toBe(evals.length);
    }
    const { stdout } = run("suggest-evals.mjs", ["release-notes"], cwd);
    const prompts = (JSON.parse(stdout) as Evals).evals.map(({ prompt }) => prompt);
    expect(prompts).toContain("Tell me what has changed in a release.");
    expect(prompts).toContain("Please write release notes from commits.");
    expect(prompts.join("\n")).not.toContain("release-notes");
  });

  it("N-03 tells wrong use from a broken skill", () => {
    const cwd = temporaryFolder({ "a/SKILL.md": "no front matter", "b/x": "" });
    expect(run("suggest-evals.mjs", ["a"], cwd).status).toBe(1);
    expect(run("suggest-evals.mjs", ["b"], cwd).status).toBe(2);
    expect(run("suggest-evals.mjs", [], cwd).status).toBe(2);
    expect(run("suggest-evals.mjs", ["--help"], cwd).status).toBe(0);
  });
});

describe("skill-creator with the offline agent", () => {
  const ask = (request: string) => {
    const text = `---\nname: notes\ndescription: ${GOOD}\n---\n# Notes\n\n1. Do it.\n`;
    const cwd = temporaryFolder({ "project/drafts/notes/SKILL.md": text });
    const args = ["run", request, "--model", "offline", "--cwd", "project", "--yes=run_script"];
    return builtCli(args, cwd);
  };

  it("N-03 A-01 drafts, checks and suggests in the sandbox, in two languages", () => {
    const cases: [request: string, script: string, output: string][] = [
      [
        `Draft a new skill called pdf-split with the description "${GOOD}"`,
        "draft",
        "then: move drafts/pdf-split to .agent/skills",
      ],
      ["Check and validate the skill ./drafts/notes", "check", "rules are met"],
      ["检查技能 ./drafts/notes", "check", "rules are met"],
      [
        "Suggest evals and trigger cases for my skill ./drafts/notes",
        "suggest-evals",
        "should_trigger",
      ],
      ["为技能 ./drafts/notes 写评测用例", "suggest-evals", "should_trigger"],
    ];
    for (const [request, script, output] of cases) {
      const { status, stdout, stderr } = ask(request);
      // A draft is a change of a script, which waits for a person.
      expect([status, stderr], request).toEqual([
        script === "draft" ? 3 : 0,
        expect.stringContaining(`skill-creator/scripts/${script}.mjs (exit 0)`),
      ]);
      expect(stdout).toContain(output);
    }
  });

  it("A-10 leaves alone what is about skills of people", () => {
    for (const request of ["what are the skills of a good manager?", "list my job skills"])
      expect(ask(request).stderr, request).not.toContain("skill-creator (");
  });
});
