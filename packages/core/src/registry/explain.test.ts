import { join } from "node:path";
import { expect, it } from "vitest";
import { skillText, writeTree } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../host/index.ts";
import { directorySource, type OpenSkillsOptions } from "../index.ts";

async function open(files: Readonly<Record<string, string>>, options: OpenSkillsOptions = {}) {
  const folder = temporaryFolder(files);
  const roots = ["project", "user"].map((label) => directorySource(join(folder, label), { label }));
  return { folder, skills: await openSkills({ roots, ...options }) };
}

it("R-04 R-06 explains what was chosen and what it shadows", async () => {
  const { folder, skills } = await open({
    "project/a/SKILL.md": skillText("a"),
    "user/a/SKILL.md": skillText("a", "Other. Use when."),
  });
  expect(skills.explain("A")).toMatchObject({
    name: "a",
    found: true,
    visibleToModel: true,
    visibleToPerson: true,
    reasons: ["it is offered to models"],
    candidates: [],
    places: [
      { path: join(folder, "project/a"), source: "project", outcome: "chosen" },
      { path: join(folder, "user/a"), source: "user", outcome: "shadowed" },
    ],
  });
  expect(skills.explain("a").places[1]?.reason).toContain("a@user");
});

it("R-04 explains folders with the same content", async () => {
  const { folder, skills } = await open({
    "project/a/SKILL.md": skillText("a"),
    "user/a/SKILL.md": skillText("a"),
  });
  expect(skills.explain("a").places).toMatchObject([
    { outcome: "chosen" },
    { outcome: "same content", path: join(folder, "user/a") },
  ]);
});

it("R-05 R-06 explains a skill that cannot be used, with its diagnostics", async () => {
  const { folder, skills } = await open({ "project/org/a/SKILL.md": "broken" });
  for (const name of ["a", "org/a", "A"]) {
    expect(skills.explain(name), name).toMatchObject({
      found: false,
      visibleToModel: false,
      visibleToPerson: false,
      places: [
        {
          outcome: "unusable",
          path: join(folder, "project/org/a"),
          diagnostics: [{ code: "frontmatter-missing" }],
        },
      ],
    });
  }
});

it("R-04 explains the unusable one beside the chosen one", async () => {
  const { skills } = await open({
    "project/a/SKILL.md": "broken",
    "user/a/SKILL.md": skillText("a"),
  });
  const { found, places } = skills.explain("a");
  expect([found, places.map(({ outcome }) => outcome)]).toEqual([true, ["chosen", "unusable"]]);
});

it("R-12 explains that a skill is listed but not trusted", async () => {
  const { skills } = await open(
    { "project/a/SKILL.md": skillText("a") },
    { isTrusted: ({ source }) => source !== "project" },
  );
  expect(skills.explain("a")).toMatchObject({ found: true, visibleToModel: false });
  expect(skills.explain("a").reasons.join()).toContain("not trusted");
});

it("R-12 explains that a skill is switched off", async () => {
  const { skills } = await open({ "project/a/SKILL.md": skillText("a") }, { disabled: ["A"] });
  const explanation = skills.explain("a");
  expect(explanation).toMatchObject({ visibleToModel: false, visibleToPerson: false });
  expect(explanation.reasons.join()).toContain("disabled");
});

it("R-06 D-02 F-08 explains why a model does not see a skill", async () => {
  const { skills } = await open({
    "project/a/SKILL.md": skillText("a", "Does. Use when.", "disable-model-invocation: true\n"),
    "project/b/SKILL.md": skillText("b", "Does <b>. Use when."),
    "project/c/SKILL.md": skillText("c", "Does. Use when.", "user-invocable: false\n"),
  });
  expect(skills.explain("a")).toMatchObject({ visibleToModel: false, visibleToPerson: true });
  expect(skills.explain("a").reasons.join()).toContain("disable-model-invocation");
  expect(skills.explain("b")).toMatchObject({ visibleToModel: false, visibleToPerson: true });
  expect(skills.explain("b").reasons.join()).toContain("angle-brackets");
  expect(skills.explain("c")).toMatchObject({ visibleToModel: true, visibleToPerson: false });
});

it("R-06 explains that nothing was found, with near names", async () => {
  const { skills } = await open({ "project/dates/SKILL.md": skillText("dates") });
  expect(skills.explain("datse")).toMatchObject({
    name: "datse",
    found: false,
    places: [],
    visibleToModel: false,
    candidates: ["dates"],
  });
});

it("R-05 the registry's diagnostics name every finding with its file", async () => {
  const { folder, skills } = await open({
    "project/a/SKILL.md": "broken",
    "user/b/SKILL.md": skillText("other"),
  });
  writeTree(folder, { "user/c/SKILL.md": "broken" });
  await skills.refresh();
  expect(skills.diagnostics().map(({ file }) => file)).toEqual(
    ["project/a", "user/b", "user/c"].map((path) => join(folder, path, "SKILL.md")),
  );
});

it("R-12 explains a skill that is in no folder by its source and URI", async () => {
  const uri = "skill://a/SKILL.md";
  const metadata = {
    name: "a",
    description: "Does a. Use when.",
    disableModelInvocation: false,
    userInvocable: true,
    runMode: "inline",
    hiddenFromModel: false,
  } as const;
  const inline = { name: "a", description: metadata.description, instructions: "Do it." };
  const found = { source: "mcp:docs", root: "mcp:docs", relativePath: "a", uri, metadata, inline };
  const server = {
    roots: [],
    scan: () => Promise.resolve({ skills: [{ ...found, diagnostics: [] }], diagnostics: [] }),
  };
  const skills = await openSkills({ roots: [server], isTrusted: () => false });
  expect(skills.get("a@mcp:docs")).toMatchObject({ uri, trusted: false });
  expect(skills.get("a@docs")).toBe(skills.get("a@mcp:docs"));
  expect(skills.explain("a")).toMatchObject({
    visibleToModel: false,
    places: [{ path: uri, source: "mcp:docs", outcome: "chosen" }],
    reasons: [
      "it comes from mcp:docs and is not trusted; `skillwright trust a@mcp:docs` trusts it as it is now",
    ],
  });
});
