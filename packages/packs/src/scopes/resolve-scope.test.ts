import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { detectedAgents, resolveScope } from "../index.ts";
import { lockedSkill } from "../lock/index.ts";

/** A home with a project in it that has these folders. */
function world(...folders: string[]) {
  const home = realpathSync(temporaryFolder());
  const project = join(home, "work/project");
  for (const folder of [".git", "src", ...folders])
    mkdirSync(join(project, folder), { recursive: true });
  return { home, project, cwd: join(project, "src") };
}

it.each([
  ["nothing", [], ".agent/skills"],
  ["its own", [".agent/skills", ".agents/skills"], ".agent/skills"],
  ["only .agent", [".agent"], ".agent/skills"],
  [".agents/skills", [".agents/skills"], ".agents/skills"],
  [".claude/skills", [".claude/skills"], ".claude/skills"],
  ["both of others", [".claude/skills", ".agents/skills"], ".agents/skills"],
  [".agents without skills", [".agents", ".claude/skills"], ".claude/skills"],
])("K-02 the root of a project with %s", (_, folders, root) => {
  const { home, project, cwd } = world(...folders);
  expect(resolveScope({ cwd, home })).toEqual({
    ok: true,
    label: "project",
    base: project,
    root: join(project, root),
    lockFile: join(project, ".agent/skills.lock.json"),
    sharedLockFile: join(project, "skills-lock.json"),
  });
});

it.each([
  ["one root of another client", [".claude/skills/pdf", ".claude/skills/a/b"], ".claude/skills"],
  ["our own", [".agent/skills/pdf"], ".agent/skills"],
  ["two roots", [".claude/skills/pdf", ".agents/skills/csv"], ".agents/skills"],
  ["a root that was named", ["vendor/pdf"], ".agents/skills"],
  ["nothing", [], ".agents/skills"],
])("K-04 the root of a lock with %s", (_, paths, root) => {
  const { home, project, cwd } = world(".agent", ".agents/skills");
  const skill = lockedSkill({
    name: "pdf",
    origin: { type: "local", source: "./x" },
    skillPath: "",
    files: [{ path: "SKILL.md", sha256: "0".repeat(64) }],
  });
  const skills = Object.fromEntries(paths.map((path) => [path, skill]));
  const text = JSON.stringify({ schemaVersion: 1, skills });
  writeFileSync(join(project, ".agent/skills.lock.json"), text);
  expect(resolveScope({ cwd, home })).toMatchObject({ root: join(project, root) });
});

it("K-05 a target that is or lies in a skill is refused, and a project may be one", () => {
  const { home, project, cwd } = world(".agent/skills/pdf/references");
  writeFileSync(join(project, ".agent/skills/pdf/SKILL.md"), "");
  writeFileSync(join(project, "SKILL.md"), "");
  const skills = join(project, ".agent/skills");
  for (const target of [join(skills, "pdf"), join(skills, "pdf/references/new"), project]) {
    expect(resolveScope({ cwd, home, target })).toMatchObject({ code: "root-unwritable" });
  }
  expect(resolveScope({ cwd, home, target: skills })).toMatchObject({ ok: true });
  const outside = realpathSync(temporaryFolder({ "pdf/SKILL.md": "" }));
  const target = join(outside, "pdf/a/b");
  expect(resolveScope({ cwd, home, target })).toMatchObject({ code: "root-unwritable" });
  symlinkSync(join(outside, "pdf"), join(outside, "way-in"));
  expect(resolveScope({ cwd, home, target: join(outside, "way-in/c") }).ok).toBe(false);
});

it("K-02 the user's root is found the same way, and has no shared lock", () => {
  const { home, cwd } = world();
  const lockFile = join(home, ".agent/skills.lock.json");
  const root = join(home, ".agent/skills");
  expect(resolveScope({ cwd, home, source: "user" })).toEqual({
    ok: true,
    label: "user",
    base: home,
    root,
    lockFile,
  });
  mkdirSync(join(home, ".claude/skills"), { recursive: true });
  expect(resolveScope({ cwd, home, source: "user" })).toMatchObject({
    root: join(home, ".claude/skills"),
  });
});

it("K-02 in the home folder there is no project", () => {
  const { home } = world();
  mkdirSync(join(home, ".git"));
  expect(resolveScope({ cwd: home, home })).toMatchObject({ ok: true, label: "user", base: home });
  expect(resolveScope({ cwd: home, home, source: "project" })).toMatchObject({
    ok: false,
    code: "source-invalid",
  });
  const link = join(temporaryFolder(), "home");
  symlinkSync(home, link);
  expect(resolveScope({ cwd: home, home: link, source: "project" })).toMatchObject({ ok: false });
});

it.each([
  ["../vendor/skills", "vendor/skills"],
  ["skills", "src/skills"],
  ["..", ""],
])("K-02 the target %s inside the project is a root of it", (target, inside) => {
  const { home, project, cwd } = world();
  expect(resolveScope({ cwd, home, target })).toMatchObject({
    label: "project",
    base: project,
    root: join(project, inside),
    lockFile: join(project, ".agent/skills.lock.json"),
    sharedLockFile: join(project, "skills-lock.json"),
  });
});

it("K-02 any other target has its own lock, and no shared one", () => {
  const { home, cwd } = world();
  const root = join(realpathSync(temporaryFolder()), "not/made/yet");
  const expected = {
    ok: true,
    label: "target",
    base: root,
    root,
    lockFile: join(root, "skills.lock.json"),
  };
  expect(resolveScope({ cwd, home, target: root })).toEqual(expected);
  expect(resolveScope({ cwd, home, target: "~/mine" })).toMatchObject({ base: join(home, "mine") });
  // A neighbour whose name begins like the project's is not inside it.
  expect(resolveScope({ cwd, home, target: "../../project-b" })).toMatchObject({ label: "target" });
});

it("K-05 a target is inside or outside by where it leads", () => {
  const { home, project, cwd } = world();
  const outside = realpathSync(temporaryFolder());
  symlinkSync(outside, join(project, "way-out"));
  expect(resolveScope({ cwd, home, target: "../way-out/x" })).toMatchObject({ label: "target" });
  symlinkSync(join(project, "src"), join(outside, "way-in"));
  expect(resolveScope({ cwd, home, target: join(outside, "way-in") })).toMatchObject({
    label: "project",
    root: join(project, "src"),
  });
});

it.each(["", "/", "a\0b", "../.git/hooks", "../x/.skillwright", "../file.txt"])(
  "K-05 the target %j is refused",
  (target) => {
    const { home, project, cwd } = world();
    writeFileSync(join(project, "file.txt"), "");
    expect(resolveScope({ cwd, home, target })).toMatchObject({
      ok: false,
      code: "root-unwritable",
    });
  },
);

it("K-02 a client whose folder a variable moves is found and served there", () => {
  const { home, project, cwd } = world();
  const elsewhere = realpathSync(temporaryFolder());
  const inside = join(home, "settings/claude");
  mkdirSync(inside, { recursive: true });
  const claude = { cwd, home, agent: "claude-code", source: "user" } as const;
  expect(resolveScope({ ...claude, env: {} })).toMatchObject({
    root: join(home, ".claude/skills"),
  });
  expect(resolveScope({ ...claude, env: { CLAUDE_CONFIG_DIR: inside } })).toMatchObject({
    label: "user",
    base: home,
    root: join(inside, "skills"),
  });
  expect(resolveScope({ ...claude, env: { CLAUDE_CONFIG_DIR: elsewhere } })).toMatchObject({
    base: join(elsewhere, "skills"),
    root: join(elsewhere, "skills"),
    lockFile: join(elsewhere, "skills/skills.lock.json"),
  });
  // A project's folder is not moved, and neither is the folder that Codex shares with others.
  const env = { CLAUDE_CONFIG_DIR: elsewhere, CODEX_HOME: elsewhere };
  expect(resolveScope({ ...claude, source: "project", env })).toMatchObject({
    root: join(project, ".claude/skills"),
  });
  expect(resolveScope({ ...claude, agent: "codex", env })).toMatchObject({
    root: join(home, ".agents/skills"),
  });
  expect(detectedAgents(cwd, home, {})).toEqual([]);
  expect(detectedAgents(cwd, home, env)).toEqual(["claude-code", "codex"]);
});
