import { mkdir, mkdtemp, readFile, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyFixes } from "../../packages/core/src/directory/index.ts";
import {
  lintSkill,
  parseSkill,
  skillDigest,
  SkillwrightError,
} from "../../packages/core/src/index.ts";
import {
  findReferences,
  fixSkill,
  lintSkillText,
  nameProblem,
  outlineBody,
  readSkillMetadata,
  renderSkill,
  slugify,
} from "../../packages/core/src/internal/index.ts";

const D = "description: Formats dates. Use when a date must be written.";
const file = (yaml: string, body = "Body.\n") => `---\n${yaml}\n---\n${body}`;
const codes = (r: { diagnostics: readonly { severity: string; code: string }[] }) =>
  r.diagnostics.map(({ severity, code }) => `${severity}:${code}`).toSorted();
const folder = async () => realpath(await mkdtemp(join(tmpdir(), "pending-")));

describe("F-06 render round trip", () => {
  it.each([
    ["context: fork beside run-mode: inline", "run-mode: inline\ncontext: fork"],
    [
      "a misspelt flag beside the right one",
      "disable-model-invocation: false\ndisableModelInvocation: true",
    ],
    ["user_invocable", "user-invocable: true\nuser_invocable: false"],
    ["runMode", "run-mode: inline\nrunMode: subagent"],
    ["License beside a license without a value", "license:\nLicense: MIT"],
  ])("%s", (_, lines) => {
    const { skill } = parseSkill(file(`name: d\n${D}\n${lines}`));
    const again = parseSkill(renderSkill(skill!)).skill;
    expect({ ...again, bodyLine: 0 }).toEqual({ ...skill, bodyLine: 0 });
  });
});

describe("F-08 hiddenFromModel agrees", () => {
  it.each([
    'license: "a\\u0007"',
    'author: "\\x9b"',
    'compatibility: "\\u202e"',
    'compatibility: "\\U000E0041"',
  ])("%s", (line) => {
    const text = file(`name: d\n${D}\n${line}`);
    expect(readSkillMetadata(text).metadata?.hiddenFromModel).toBe(
      parseSkill(text).skill?.hiddenFromModel,
    );
  });
  it("body with tag characters: parse and lint agree", () => {
    const text = file(`name: d\n${D}`, "x\u{E0041}\n");
    expect(parseSkill(text).skill?.hiddenFromModel).toBe(
      lintSkillText(text).skill?.hiddenFromModel,
    );
  });
});

describe("F-08 escaped smuggling and controls", () => {
  it.each([
    'version: "1\\u202e"',
    'license: "\\U000E0041"',
    'author: "\\u2066"',
    'metadata: {a: "\\u202e"}',
    'x: "\\u202e"',
  ])("invisible %s", (line) => {
    expect(codes(parseSkill(file(`name: d\n${D}\n${line}`)))).toContain(
      "error:invisible-characters",
    );
  });
  it.each(['metadata: {a: "\\e[2J"}', '"\\e[2J": x', 'x: "\\e[2J"'])("control %s", (line) => {
    expect(codes(parseSkill(file(`name: d\n${D}\n${line}`)))).toContain("error:control-characters");
  });
});

describe("F-07 repair", () => {
  it.each(["tags: [a, b: c", "tags: {a: b", "tags: {a: b, c", "tags: [a: b"])(
    "leaves open flow alone: %s",
    (line) => {
      expect(codes(parseSkill(file(`name: d\n${D}\n${line}`)))).toEqual(["error:yaml-invalid"]);
    },
  );
  it.each(["# tools\nlicense: MIT", "  # note\nlicense: MIT", "\n# end"])(
    "a comment below does not stop it: %j",
    (rest) => {
      expect(codes(parseSkill(file(`name: d\ndescription: Use when: x\n${rest}`)))).toEqual([
        "warning:yaml-repaired",
      ]);
    },
  );
});

describe("F-07 name", () => {
  it("blank name falls back to the folder as the message says", () => {
    expect(parseSkill(file(`name: " "\n${D}`), { directoryName: "pdf" }).skill?.name).toBe("pdf");
  });
  it.each(["name: >\n  pdf", "name: |\n  pdf", 'name: " pdf "'])(
    "is trimmed as the reference validator does: %j",
    (line) => {
      const r = parseSkill(file(`${line}\n${D}`), { directoryName: "pdf", strict: true });
      expect([codes(r), r.skill?.name]).toEqual([[], "pdf"]);
    },
  );
  it("is NFKC-normalised", () => {
    expect(parseSkill(file(`name: ｐｄｆ\n${D}`)).skill?.name).toBe("pdf");
  });
  it("an invisible Hangul filler is noticed", () => {
    expect(codes(parseSkill(file(`name: pdf\u3164\n${D}`)))).not.toEqual([]);
  });
  it("slugify does not cut a character in two", () => {
    expect(nameProblem(slugify(`a${"𐌰".repeat(40)}`))).toBeUndefined();
  });
});

describe("F-02 fixes", () => {
  it.each(["name: null", "name: ~"])("do not make up a name: %s", (line) => {
    const text = file(`${line}\n${D}`);
    const r = parseSkill(text, { directoryName: "pdf" });
    expect(
      parseSkill(applyFixes(text, r.diagnostics).text, { directoryName: "pdf" }).skill?.name,
    ).toBe("pdf");
  });
  it("do not make up a description", async () => {
    const root = await folder();
    await writeFile(join(root, "SKILL.md"), "---\nname: x\ndescription: ~\n---\n");
    await fixSkill(root);
    expect(await readFile(join(root, "SKILL.md"), "utf8")).not.toContain('"~"');
  });
});

describe("F-08 body", () => {
  it("a rule below a fence is no heading", () => {
    expect(outlineBody("```\ncode\n```\n---\n")).toEqual([]);
    expect(outlineBody("A\n===\n===\n").map(({ title }) => title)).toEqual(["A"]);
  });
  it.each(["[^1]: See the docs", "[Optional]: foo bar"])("%j is no link", (body) => {
    expect(findReferences(body)).toEqual([]);
  });
  it.each(["[a](<my file.md>)", "[a](a_(1).md)"])("%j is a link", (body) => {
    expect(findReferences(body)).toHaveLength(1);
  });
});

describe("F-08 lint text", () => {
  it("Russian when", () => {
    expect(
      codes(
        lintSkillText(
          file("name: d\ndescription: Форматирует даты. Используйте, когда нужна дата."),
        ),
      ),
    ).not.toContain("warning:description-without-when");
  });
  it("no description is not also one without a when", () => {
    expect(codes(lintSkillText(file("name: d")))).not.toContain("warning:description-without-when");
  });
  it("hint about tabs only for tabs", () => {
    expect(parseSkill(file(`name: d\n${D}\nx: \ud800`)).diagnostics[0]?.hint ?? "").not.toContain(
      "tab",
    );
  });
  it("context: fork that is overruled is not silent", () => {
    expect(
      parseSkill(file(`name: d\n${D}\nrun-mode: inline\ncontext: fork`)).diagnostics,
    ).not.toEqual([]);
  });
});

describe("F-09 directory", () => {
  const skill = `---\nname: x\n${D}\n---\nBody.\n`;
  it("C1 controls in paths", async () => {
    const root = await folder();
    await writeFile(join(root, "SKILL.md"), skill);
    await writeFile(join(root, "a\u009b31m.md"), "");
    expect((await lintSkill(root)).diagnostics.map(({ code }) => code)).toContain("path-unsafe");
    await expect(skillDigest(root)).rejects.toThrow(SkillwrightError);
  });
  it("a file and a folder that differ by case", async () => {
    const root = await folder();
    await writeFile(join(root, "SKILL.md"), skill);
    await mkdir(join(root, "assets/Docs"), { recursive: true });
    await writeFile(join(root, "assets/Docs/a"), "");
    await writeFile(join(root, "assets/docs"), "");
    expect((await lintSkill(root)).diagnostics.map(({ code }) => code)).toContain("path-collision");
  });
  it("strict: an error of the folder means no skill", async () => {
    const root = join(await folder(), "x");
    await mkdir(root);
    await writeFile(join(root, "SKILL.md"), Buffer.from(`${skill}caf\xe9`, "latin1"));
    expect((await lintSkill(root, { strict: true })).skill).toBeUndefined();
  });
  it("messages do not carry escape sequences of file names", async () => {
    const root = await folder();
    await writeFile(join(root, "SKILL.md"), skill);
    await writeFile(join(root, "e\u001b[31m.md"), "");
    expect(
      (await lintSkill(root)).diagnostics.map(({ message, hint = "" }) => message + hint).join(),
    ).not.toContain("\u001b");
  });
  it("messages do not carry escape sequences of names", () => {
    expect(
      parseSkill(file(`name: "a\\e[31m"\n${D}`))
        .diagnostics.map(({ message }) => message)
        .join(),
    ).not.toContain("\u001b");
  });
});

describe("F-06 hidden text", () => {
  it.each(["<!-- secret\n\nmore", "<!--\n```\nsecret\n-->\n"])(
    "%j is a comment to a reader",
    (body) => {
      expect(codes(lintSkillText(file(`name: d\n${D}`, body)))).toContain("info:html-comment");
    },
  );
  it("one reason to hide a skill does not mask another", () => {
    const text = file("name: d\ndescription: a < b. Use when x.\nlicense: a\u202eb");
    expect(codes(parseSkill(text))).toEqual(["error:angle-brackets", "error:invisible-characters"]);
  });
});
