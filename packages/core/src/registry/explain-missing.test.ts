import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../host/index.ts";
import type { OpenSkillsOptions } from "../index.ts";

const ROOT = "repo/.agent/skills";

async function open(
  files: Readonly<Record<string, string>>,
  options: OpenSkillsOptions = {},
  links: Readonly<Record<string, string>> = {},
) {
  const folder = temporaryFolder({
    "repo/.git/HEAD": "",
    [`${ROOT}/there/SKILL.md`]: skillText("there"),
    "home/x.txt": "",
    ...files,
  });
  for (const [path, target] of Object.entries(links)) {
    symlinkSync(join(folder, target), join(folder, path));
  }
  const cwd = join(folder, "repo");
  const skills = await openSkills({ cwd, home: join(folder, "home"), ...options });
  return { folder, skills };
}

it.each([
  ["is ignored by git", "lost", /\.gitignore/, { "repo/.gitignore": "lost\n" }],
  ["lies in node_modules", "node_modules/x/lost", /node_modules/, {}],
  ["lies in venv", "venv/lost", /venv/, {}],
  ["lies deeper than is searched", "1/2/3/4/5/6/lost", /6 levels/, {}],
  ["lies inside of another skill", "there/examples/lost", /one of its files/, {}],
  ["has a name of its own", "node_modules/other", /node_modules/, {}],
])("R-06 explain names a skill that %s, with its place", async (_, place, reason, more) => {
  const { folder, skills } = await open({
    [`${ROOT}/${place}/SKILL.md`]: skillText("lost"),
    ...more,
  });
  expect(skills.get("lost")).toBeUndefined();
  const explanation = skills.explain("Lost");
  expect(explanation).toMatchObject({
    found: false,
    places: [{ path: join(folder, ROOT, place), source: "project", outcome: "left out" }],
  });
  expect(explanation.places[0]?.reason).toMatch(reason);
  expect(explanation.reasons.join()).toContain(join(folder, ROOT, place));
});

it("R-06 explain names a link that leads nowhere, and a skill behind a link", async () => {
  const { folder, skills } = await open(
    { "kept/lost/SKILL.md": skillText("lost") },
    {},
    {
      [`${ROOT}/gone`]: "nowhere",
      [`${ROOT}/more`]: "kept",
      [`${ROOT}/loop`]: ROOT,
    },
  );
  expect(skills.explain("gone").places).toMatchObject([
    { path: join(folder, ROOT, "gone"), reason: expect.stringContaining("leads to no folder") },
  ]);
  const { places, diagnostics } = skills.explain("lost");
  expect(places).toMatchObject([
    { path: join(folder, ROOT, "more/lost"), reason: expect.stringContaining("behind the link") },
  ]);
  expect(diagnostics.map(({ code }) => code)).toEqual(["link-not-searched"]);
});

it("R-06 R-02 explain names a skill of a scope that is switched off", async () => {
  const files = { "home/.agent/skills/lost/SKILL.md": skillText("lost") };
  const { folder, skills } = await open(files, { enableUserSkills: false });
  expect(skills.explain("lost").places).toMatchObject([
    { path: join(folder, "home/.agent/skills/lost"), source: "user", outcome: "left out" },
  ]);
  expect(skills.explain("lost").reasons.join()).toContain("enableUserSkills");
  const other = await open({}, { enableProjectSkills: false });
  expect(other.skills.explain("there").reasons.join()).toContain("enableProjectSkills");
});

it("R-06 R-02 explain names a configured root that is missing", async () => {
  const { folder, skills } = await open({}, { skillRoots: ["nowhere"] });
  const { diagnostics, reasons } = skills.explain("lost");
  expect(diagnostics).toMatchObject([{ code: "root-missing", file: join(folder, "repo/nowhere") }]);
  expect(reasons.join()).toContain(join(folder, "repo/nowhere"));
});

it("R-06 explain says of a folder that it holds no SKILL.md, and nothing of a name that is nowhere", async () => {
  const { folder, skills } = await open({ [`${ROOT}/lost/readme.md`]: "" });
  expect(skills.explain("lost").places).toMatchObject([
    { path: join(folder, ROOT, "lost"), reason: expect.stringContaining("without a SKILL.md") },
  ]);
  expect(skills.explain("zzz")).toMatchObject({
    places: [],
    reasons: ["no skill of this name was found in any root"],
  });
});

it("R-04 explain of name@source says that the source is another one", async () => {
  const { folder, skills } = await open({});
  for (const source of ["builtin", "nope"]) {
    const { found, places, reasons } = skills.explain(`there@${source}`);
    expect([found, places.map(({ path, outcome }) => [path, outcome])]).toEqual([
      false,
      [[join(folder, ROOT, "there"), "other source"]],
    ]);
    expect(reasons).toEqual([`it is not from "${source}", but from project`]);
  }
});

it("R-06 C-02 explain says how much of a skill the catalog holds within a budget", async () => {
  const { skills } = await open({
    "home/.agent/skills/far/SKILL.md": skillText("far"),
    "home/.agent/skills/manual/SKILL.md": skillText(
      "manual",
      "D. Use.",
      "disable-model-invocation: true\n",
    ),
  });
  expect(skills.explain("far").catalog).toBe("full");
  expect(skills.explain("far", { budgetTokens: 1 }).catalog).toBe("omitted");
  expect(skills.explain("manual").catalog).toBeUndefined();
  expect(skills.explain("zzz").catalog).toBeUndefined();
});
