import { chatOf } from "../../../../test/support/chat-of.ts";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { skillText, writeTree } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../host/index.ts";
import { directorySource, inlineSource } from "../index.ts";
import { labelledSource } from "../internal/index.ts";

describe("two skills of one name in one root", () => {
  it.each([
    ["namespaces", "a/pdf", "pdf", "b/pdf", "pdf"],
    ["case", "Pdf", "Pdf", "pdf", "pdf"],
    ["Unicode form", "cafe\u0301", "cafe\u0301", "caf\u00e9", "caf\u00e9"],
  ])(
    "R-04 R-07 that differ in %s are both listed, and the second is reported",
    async (...given) => {
      const [, first, name, second, other] = given;
      const root = temporaryFolder({
        [`${first}/SKILL.md`]: skillText(name, "First. Use when."),
        [`${second}/SKILL.md`]: skillText(other, "Second. Use when."),
      });
      const skills = await openSkills({ roots: [root] });
      expect(skills.all.map(({ relativePath }) => relativePath)).toEqual([first, second]);
      expect(skills.all[1]?.shadowedBy).toBe(skills.all[0]?.id);
      const reported = skills.diagnostics().filter(({ code }) => code === "name-repeated");
      expect(reported.map(({ file }) => file)).toEqual([join(root, second)]);
      expect(chatOf(skills).catalog().shown).toEqual([skills.all[0]?.name]);
    },
  );

  it("R-04 explain tells which is meant by the name, and which by the folder", async () => {
    const root = temporaryFolder({
      "a/pdf/SKILL.md": skillText("pdf"),
      "b/pdf/SKILL.md": skillText("pdf"),
    });
    const skills = await openSkills({ roots: [root] });
    const outcomes = (name: string) => skills.explain(name).places.map(({ outcome }) => outcome);
    expect(outcomes("pdf")).toEqual(["chosen", "shadowed"]);
    expect(skills.explain("pdf").places[1]?.reason).toContain("same root");
    expect(outcomes("b/pdf")).toEqual(["chosen", "shadowed"]);
    expect(skills.explain("b/pdf").places[0]?.path).toBe(join(root, "b/pdf"));
    expect(skills.explain("b/pdf")).toMatchObject({
      visibleToModel: false,
      reasons: [`models are told of project:a/pdf instead, in ${join(root, "a/pdf")}`],
    });
  });

  it("R-04 a search gives no skill that its name would not lead to", async () => {
    const root = temporaryFolder({
      "a/pdf/SKILL.md": skillText("pdf", "Merges. Use when."),
      "b/pdf/SKILL.md": skillText("pdf", "Paints horses. Use when."),
    });
    const skills = await openSkills({ roots: [root] });
    expect(await chatOf(skills).search("paints horses")).toEqual([]);
  });
});

describe("one root given twice", () => {
  it("R-02 R-07 is read once, also by a link", async () => {
    const folder = temporaryFolder({
      "root/a/SKILL.md": skillText("a"),
      "root/org/a/SKILL.md": skillText("a"),
    });
    const root = join(folder, "root");
    symlinkSync(root, join(folder, "link"));
    const skills = await openSkills({ roots: [root, `${root}/`, join(folder, "link")] });
    expect(skills.all.map(({ id }) => id)).toEqual(["project:a", "project:org/a"]);
    expect(skills.all.flatMap(({ alsoAt }) => alsoAt)).toEqual([]);
  });

  it("R-04 under two labels is one skill with two sources", async () => {
    const root = temporaryFolder({ "a/SKILL.md": skillText("a") });
    const roots = ["project", "user"].map((label) => directorySource(root, { label }));
    const { all } = await openSkills({ roots });
    expect(all).toMatchObject([{ source: "project", alsoFrom: ["user"] }]);
  });
});

it("R-04 the same skill in code under two labels is shadowed", async () => {
  const inline = inlineSource(
    [{ name: "gen", description: "Makes. Use.", instructions: "" }],
    "code",
  );
  const skills = await openSkills({ roots: [inline, labelledSource(inline, "lab")] });
  expect([skills.all.map(({ id }) => id), skills.shadowed.map(({ id }) => id)]).toEqual([
    ["code:gen"],
    ["lab:gen"],
  ]);
});

describe("a skill that is not trusted", () => {
  async function open(isTrusted: (skill: { source: string }) => boolean | Promise<boolean>) {
    const folder = temporaryFolder();
    const roots = ["project", "user", "builtin"].map((label) => {
      writeTree(join(folder, label), { "sec/SKILL.md": skillText("sec", `By ${label}. Use.`) });
      return directorySource(join(folder, label), { label });
    });
    return { folder, skills: await openSkills({ roots, isTrusted }) };
  }

  it("R-12 R-04 does not take the place of one that is, and is listed all the same", async () => {
    const { folder, skills } = await open(({ source }) => source !== "project");
    expect(chatOf(skills).catalog().text).toContain("By user");
    expect(await chatOf(skills).activate("sec")).toMatchObject({ ok: true, source: "user" });
    expect(await chatOf(skills).search("sec")).toMatchObject([{ source: "user" }]);
    expect(await chatOf(skills).activate("sec@project")).toMatchObject({ ok: false });
    expect(skills.all.map(({ id, shadowedBy }) => [id, shadowedBy])).toEqual([
      ["project:sec", "user:sec"],
      ["user:sec", undefined],
    ]);
    expect(skills.shadowed.map(({ shadowedBy }) => shadowedBy)).toEqual(["user:sec"]);
    expect(skills.diagnostics().map(({ file }) => file)).toEqual(
      ["project/sec", "builtin/sec"].map((path) => join(folder, path)),
    );
  });

  it("R-12 R-04 explain says whose place was taken, and why", async () => {
    const { skills } = await open(({ source }) => source !== "project");
    const { places, reasons } = skills.explain("sec");
    expect(places.map(({ source, outcome }) => [source, outcome])).toEqual([
      ["user", "chosen"],
      ["project", "shadowed"],
      ["builtin", "shadowed"],
    ]);
    expect(places[1]?.reason).toContain("is trusted, which this one is not");
    expect(reasons.join()).toContain("project:sec, which is not trusted");
  });

  it("R-12 R-04 keeps its place where none is trusted", async () => {
    const { skills } = await open(() => false);
    expect(skills.get("sec")?.source).toBe("project");
    expect(skills.all).toHaveLength(1);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("offline");
      },
    ],
    ["rejects", () => Promise.reject(new Error("offline"))],
  ])("R-12 R-05 is one whose decision %s, with a diagnostic", async (_, isTrusted) => {
    const { folder, skills } = await open(isTrusted);
    expect(skills.all.map(({ trusted }) => trusted)).toEqual([false]);
    expect(skills.diagnostics()[0]).toMatchObject({
      code: "trust-undecided",
      file: join(folder, "project/sec"),
      message: expect.stringContaining("offline"),
    });
  });
});
