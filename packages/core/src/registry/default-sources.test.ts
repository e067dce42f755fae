import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { skillText, writeTree } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../host/index.ts";
import { defaultSources } from "../index.ts";
import { type DefaultSourceOptions, projectFolder } from "../internal/index.ts";

type Options = Partial<DefaultSourceOptions>;

const ROOTS = [
  "project/.agent/skills",
  "project/.agents/skills",
  "project/.claude/skills",
  "project/.botsharp/skills",
  "project/skills",
  "home/.agent/skills",
  "home/.agents/skills",
  "home/.claude/skills",
  "home/.botsharp/skills",
  "builtin",
  "other",
  "data",
];

/** A skill of its own name in every root, and one of the same name in all of them. */
function world(): string {
  const folder = temporaryFolder({ "project/.git/HEAD": "" });
  for (const [i, root] of ROOTS.entries()) {
    const skills = { [`only-${i}`]: "Does it. Use when.", same: `Number ${i}. Use when.` };
    for (const [name, description] of Object.entries(skills)) {
      writeTree(folder, { [`${root}/${name}/SKILL.md`]: skillText(name, description) });
    }
  }
  return folder;
}

async function open(options: Options = {}) {
  const folder = world();
  const skills = await openSkills({
    cwd: join(folder, "project"),
    home: join(folder, "home"),
    builtinDirectory: join(folder, "builtin"),
    ...options,
  });
  const found = skills.all.filter(({ name }) => name.startsWith("only-"));
  return {
    folder,
    skills,
    ids: found.map(({ source, root }) => `${source} ${root.slice(folder.length + 1)}`),
    same: skills.get("same")?.root.slice(folder.length + 1),
    codes: skills.diagnostics().flatMap(({ code }) => (code === "skill-shadowed" ? [] : [code])),
  };
}

const PROJECT = ROOTS.slice(0, 5).map((root) => `project ${root}`);
const USER = ROOTS.slice(5, 9).map((root) => `user ${root}`);
const BUILTIN = ["builtin builtin"];

it("R-02 reads the default roots in order: project, user, built-in", async () => {
  const { ids, same, skills, codes } = await open();
  expect(ids).toEqual([...PROJECT, ...USER, ...BUILTIN]);
  expect(same).toBe("project/.agent/skills");
  expect(skills.shadowed).toHaveLength(9);
  expect(codes).toEqual([]);
});

it("R-02 switches scopes off", async () => {
  expect((await open({ enableProjectSkills: false })).ids).toEqual([...USER, ...BUILTIN]);
  expect((await open({ enableUserSkills: false })).ids).toEqual([...PROJECT, ...BUILTIN]);
  const none = await open({ enableProjectSkills: false, enableUserSkills: false });
  expect(none.ids).toEqual(BUILTIN);
});

it("R-02 moves scopes, relative to the project or the home directory", async () => {
  const project = await open({ projectSkillsDir: "../other" });
  expect(project.ids).toEqual(["project other", ...USER, ...BUILTIN]);
  const user = await open({ userSkillsDir: "~/.claude/skills" });
  expect(user.ids).toEqual([...PROJECT, "user home/.claude/skills", ...BUILTIN]);
});

it("R-02 skillRoots replaces the project's and the user's roots, in the given order", async () => {
  const { ids, same } = await open({ skillRoots: ["~/.agent/skills", ".claude/skills"] });
  expect(ids).toEqual(["user home/.agent/skills", "project project/.claude/skills", ...BUILTIN]);
  expect(same).toBe("home/.agent/skills");
  expect((await open({ skillRoots: [] })).ids).toEqual(BUILTIN);
});

it("R-02 dataDir adds one root", async () => {
  const { ids } = await open({ dataDir: "../data" });
  expect(ids.toSorted()).toEqual([...PROJECT, ...USER, ...BUILTIN, "project data"].toSorted());
  const withRoots = await open({ dataDir: "../data", skillRoots: ["skills"] });
  expect(withRoots.ids).toEqual(["project project/skills", "project data", ...BUILTIN]);
});

it("R-02 missing default roots are silent, missing configured ones are a warning", async () => {
  const empty = temporaryFolder();
  const codes = async (options: Options) =>
    (await openSkills({ cwd: empty, home: join(empty, "home"), ...options }))
      .diagnostics()
      .map(({ code, severity }) => `${severity} ${code}`);
  expect(await codes({})).toEqual([]);
  expect(await codes({ builtinDirectory: join(empty, "builtin") })).toEqual([]);
  const configured: Options[] = [
    { skillRoots: ["nowhere"] },
    { dataDir: "nowhere" },
    { projectSkillsDir: "nowhere" },
    { userSkillsDir: "~/nowhere" },
  ];
  for (const options of configured) {
    expect(await codes(options), Object.keys(options).join()).toEqual(["warning root-missing"]);
  }
});

it("R-02 roots given to openSkills replace all defaults and warn when missing", async () => {
  const { ids, codes, folder } = await open({});
  expect(ids.length + codes.length).toBe(10);
  const skills = await openSkills({ roots: [join(folder, "other"), join(folder, "nowhere")] });
  expect(skills.all.map(({ name }) => name)).toEqual(["only-10", "same"]);
  expect(skills.diagnostics().map(({ code }) => code)).toEqual(["root-missing"]);
});

it("R-02 finds the project from a folder below it, and never above the home directory", () => {
  const folder = temporaryFolder({
    ".git/HEAD": "",
    "home/x.txt": "",
    "home/repo/.git/HEAD": "",
    "home/repo/src/deep/x.txt": "",
    "home/repo/nested/.agent/config.json": "{}",
    "home/plain/sub/x.txt": "",
  });
  const home = join(folder, "home");
  const find = (path: string) => projectFolder(join(home, path), home).slice(home.length);
  expect(find("repo/src/deep")).toBe("/repo");
  expect(find("repo/nested")).toBe("/repo/nested");
  expect(find("plain/sub")).toBe("/plain/sub");
  expect(find("")).toBe("");
});

it("R-02 default sources are made without looking at their folders", () => {
  const folder = temporaryFolder();
  symlinkSync("loop", join(folder, "loop"));
  const sources = defaultSources({ cwd: folder, home: join(folder, "loop") });
  expect(sources.flatMap(({ roots }) => roots)).toHaveLength(9);
});

it("R-02 takes the home directory for itself however it is written", async () => {
  const folder = temporaryFolder({
    "home/.agent/skills/mine/SKILL.md": skillText("mine"),
    "home/plain/x.txt": "",
  });
  const home = join(folder, "home");
  symlinkSync(home, join(folder, "link"));
  for (const [cwd, given] of [
    [home, `${home}/`],
    [home, join(folder, "link")],
    [join(folder, "link"), home],
    [`${home}/`, `${folder}/./home`],
  ] as const) {
    const { all, shadowed } = await openSkills({ cwd, home: given });
    expect([all.map(({ source, alsoAt }) => [source, alsoAt]), shadowed], given).toEqual([
      [["user", []]],
      [],
    ]);
  }
  expect(projectFolder(join(home, "plain"), join(folder, "link"))).toBe(join(home, "plain"));
  const roots = await openSkills({
    cwd: join(home, "plain"),
    home: join(folder, "link"),
    skillRoots: [join(home, ".agent/skills")],
  });
  expect(roots.get("mine")?.source).toBe("user");
});
