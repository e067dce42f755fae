import { expect, it, vi } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../host/index.ts";
import { directorySource, inlineSource, type SkillSource } from "../index.ts";
import {
  combinedSource,
  filteredSource,
  labelledSource,
  renamedSource,
  type SourceScan,
} from "../internal/index.ts";

const DESCRIPTION = "Does it. Use when asked.";
const inline = (name: string) => ({ name, description: DESCRIPTION, instructions: "Go." });

it("R-01 combines sources in their order, with roots and diagnostics of all", async () => {
  const root = temporaryFolder({ "z/SKILL.md": skillText("z") });
  const source = combinedSource([
    directorySource(root, { label: "project" }),
    directorySource(`${root}/missing`, { label: "user", configured: true }),
    inlineSource([inline("a")]),
  ]);
  const { skills, diagnostics } = await source.scan({});
  expect(skills.map(({ relativePath }) => relativePath)).toEqual(["z", "a"]);
  expect(diagnostics.map(({ code }) => code)).toEqual(["root-missing"]);
  expect(source.roots).toEqual([root, `${root}/missing`]);
});

it("R-01 filters usable skills and keeps the errors of the others", async () => {
  const root = temporaryFolder({
    "a/SKILL.md": skillText("a"),
    "b/SKILL.md": skillText("b"),
    "bad/SKILL.md": "nothing",
  });
  const source = filteredSource(
    directorySource(root, { label: "project" }),
    ({ metadata }) => metadata?.name === "b",
  );
  const { skills } = await source.scan({});
  expect(skills.map(({ relativePath }) => relativePath)).toEqual(["b", "bad"]);
  expect(skills[1]?.diagnostics).not.toEqual([]);
});

it("R-04 renames and labels without touching the files", async () => {
  const root = temporaryFolder({ "a/SKILL.md": skillText("a") });
  const source = labelledSource(
    renamedSource(directorySource(root, { label: "project" }), (name) => `acme-${name}`),
    "acme",
  );
  const skills = await openSkills({ roots: [source] });
  expect(skills.all).toMatchObject([{ name: "acme-a", source: "acme", path: `${root}/a` }]);
  expect(skills.get("acme-a@acme")).toBe(skills.all[0]);
  expect(source.roots).toEqual([root]);
});

it("R-01 holds inline skills to the same rules as files", async () => {
  const skills = await openSkills({
    roots: [],
    inline: [
      inline("good"),
      { ...inline("Bad Name"), description: "Does <b>it</b>. Use when asked." },
      { ...inline("blank"), description: "  " },
      { ...inline("person"), disableModelInvocation: true },
      { ...inline("model"), userInvocable: false },
    ],
  });
  const byName = new Map(skills.all.map((skill) => [skill.name, skill]));
  expect(byName.get("good")).toMatchObject({ modelInvocable: true, diagnostics: [] });
  expect(byName.get("Bad Name")).toMatchObject({ modelInvocable: false });
  expect(byName.get("Bad Name")?.diagnostics.map(({ code }) => code)).toContain("name-invalid");
  expect(skills.explain("blank").places).toMatchObject([{ outcome: "unusable" }]);
  expect(byName.get("person")).toMatchObject({ modelInvocable: false, userInvocable: true });
  expect(byName.get("model")).toMatchObject({ modelInvocable: true, userInvocable: false });
});

it("R-01 D-06 makes no text of an inline skill when it is opened or looked up", async () => {
  const make = vi.fn<() => string>(() => "text");
  const skills = await openSkills({
    roots: [],
    inline: [{ ...inline("lazy"), instructions: make, files: { "references/a.md": make } }],
  });
  skills.find("lazy");
  skills.explain("lazy");
  await skills.refresh();
  expect(make).not.toHaveBeenCalled();
});

it("R-02 puts inline skills behind all others", async () => {
  const root = temporaryFolder({ "a/SKILL.md": skillText("a", "The file. Use when asked.") });
  const skills = await openSkills({ roots: [root], inline: [inline("a")] });
  expect(skills.get("a")?.description).toBe("The file. Use when asked.");
  expect(skills.get("a@inline")?.path).toBe("inline:a");
});

it("R-05 a source that throws is reported by its place and roots, and takes no other with it", async () => {
  const root = temporaryFolder({ "a/SKILL.md": skillText("a") });
  const failing: SkillSource[] = [
    {
      roots: ["/srv/skills"],
      scan: () => {
        throw new Error("at once");
      },
    },
    { roots: [], scan: () => Promise.reject(new Error("offline")) },
    { roots: [], scan: () => Promise.resolve({} as SourceScan) },
  ];
  const skills = await openSkills({ roots: [...failing, root] });
  expect(skills.all.map(({ name }) => name)).toEqual(["a"]);
  expect(skills.diagnostics()).toMatchObject([
    {
      code: "source-failed",
      file: "/srv/skills",
      message: expect.stringMatching(/\/srv.*at once/),
    },
    { code: "source-failed", message: expect.stringMatching(/^source 2 .*offline/) },
    { code: "source-failed", message: expect.stringMatching(/^source 3 /) },
  ]);
  await expect(skills.refresh()).resolves.toMatchObject({ removed: [] });
});

it("R-01 R-05 holds new names to the rules for names", async () => {
  const source = inlineSource(["good", "loud", "none", "bad"].map(inline));
  const rename = (name: string) => {
    if (name === "bad") throw new Error("no");
    return { good: "acme-good", loud: "ACME loud" }[name] as string;
  };
  const skills = await openSkills({ roots: [renamedSource(source, rename)] });
  expect(skills.all.map(({ name }) => name)).toEqual(["acme-good", "ACME loud"]);
  expect(skills.diagnostics()).toMatchObject([
    { code: "name-invalid", message: expect.stringContaining('"ACME loud"') },
    { code: "name-invalid", message: expect.stringContaining('"none"') },
    { code: "name-invalid", message: expect.stringContaining('"bad"') },
  ]);
});

it.each([null, undefined, 5, {}, { source: "x", root: "x", relativePath: "x", diagnostics: null }])(
  "R-05 a source that gives %j as a skill is reported, and its others are used",
  async (wrong) => {
    const good = inlineSource([inline("good")]);
    const source: SkillSource = {
      roots: [],
      async scan(context) {
        const { skills } = await good.scan(context);
        return { skills: [wrong, ...skills], diagnostics: [] } as unknown as SourceScan;
      },
    };
    const skills = await openSkills({ roots: [source] });
    expect(skills.all.map(({ name }) => name)).toEqual(["good"]);
    expect(skills.diagnostics().map(({ code }) => code)).toEqual(["source-failed"]);
  },
);
