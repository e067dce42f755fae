import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { skillText, writeTree } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../host/index.ts";
import { directorySource } from "../index.ts";

type Files = Readonly<Record<string, string>>;

async function open(project: Files, user: Files = {}, builtin: Files = {}) {
  const folder = temporaryFolder();
  const roots = Object.entries({ project, user, builtin }).map(([label, files]) => {
    writeTree(join(folder, label), { "x.txt": "", ...files });
    return directorySource(join(folder, label), { label });
  });
  return { folder, skills: await openSkills({ roots }) };
}

const skill = (name: string, by: string) => skillText(name, `By ${by}. Use when asked.`);

describe("precedence", () => {
  it("R-02 R-04 project comes before user, user before built-in", async () => {
    const { skills } = await open(
      { "a/SKILL.md": skill("a", "project") },
      { "a/SKILL.md": skill("a", "user"), "b/SKILL.md": skill("b", "user") },
      {
        "a/SKILL.md": skill("a", "x"),
        "b/SKILL.md": skill("b", "x"),
        "c/SKILL.md": skill("c", "x"),
      },
    );
    expect(skills.all.map(({ id }) => id)).toEqual(["project:a", "user:b", "builtin:c"]);
    expect(skills.shadowed.map(({ id }) => id)).toEqual(["user:a", "builtin:a", "builtin:b"]);
  });

  it("R-04 of two skills of one name in a source, name@source is the one whose folder has it too", async () => {
    const folder = temporaryFolder({
      "root/a/pdf/SKILL.md": skillText("pdf", "In a namespace. Use when."),
      "root/pdf/SKILL.md": skillText("pdf", "At the top. Use when."),
    });
    const skills = await openSkills({ roots: [join(folder, "root")] });
    expect(skills.get("pdf@project")?.relativePath).toBe("pdf");
    expect(skills.get("a/pdf@project")?.relativePath).toBe("a/pdf");
  });

  it("R-04 reports shadowing and reaches the shadowed skill as name@source", async () => {
    const { skills, folder } = await open(
      { "a/SKILL.md": skill("a", "project") },
      { "a/SKILL.md": skill("a", "user") },
    );
    expect(skills.diagnostics()).toMatchObject([
      { code: "skill-shadowed", severity: "info", file: join(folder, "user/a") },
    ]);
    expect(skills.get("a")?.source).toBe("project");
    expect(skills.get("a@user")).toMatchObject({ source: "user", shadowedBy: "project:a" });
    expect(skills.get("A@user")).toBe(skills.get("a@user"));
    expect(skills.get("a@project")).toBe(skills.get("a"));
    expect(skills.get("a@builtin")).toBeUndefined();
  });

  it("R-04 shadows also where case, Unicode form or folder differ", async () => {
    const { skills } = await open(
      { "caf\u00e9/SKILL.md": skill("caf\u00e9", "project"), "b/SKILL.md": skill("b", "project") },
      {
        "cafe\u0301/SKILL.md": skill("cafe\u0301", "user"),
        "B/SKILL.md": skill("B", "user"),
        "org/other/SKILL.md": skill("b", "org"),
      },
    );
    expect(skills.all.map(({ source }) => source)).toEqual(["project", "project"]);
    expect(skills.shadowed).toHaveLength(3);
  });

  it("R-04 a broken skill hides no other of its name", async () => {
    const { skills } = await open({ "a/SKILL.md": "broken" }, { "a/SKILL.md": skill("a", "user") });
    expect(skills.get("a")?.source).toBe("user");
    expect(skills.diagnostics().map(({ code }) => code)).toEqual(["frontmatter-missing"]);
  });

  it("R-04 collapses identical content into one entry that lists both places", async () => {
    const files = { "a/SKILL.md": skill("a", "both"), "a/references/x.md": "text" };
    const { skills, folder } = await open(files, files, files);
    expect(skills.all).toMatchObject([
      { id: "project:a", alsoAt: [join(folder, "user/a"), join(folder, "builtin/a")] },
    ]);
    expect([skills.shadowed, skills.diagnostics()]).toEqual([[], []]);
  });

  it("R-04 does not collapse where only another file differs", async () => {
    const text = skill("a", "both");
    const { skills } = await open(
      { "a/SKILL.md": text, "a/scripts/x.sh": "echo 1" },
      { "a/SKILL.md": text, "a/scripts/x.sh": "echo 2" },
    );
    expect([skills.all.length, skills.shadowed.length]).toEqual([1, 1]);
  });

  it("R-07 keeps names that repeat in one root, each with an id and path of its own", async () => {
    const { skills } = await open({
      "one/SKILL.md": skill("same", "one"),
      "two/SKILL.md": skill("same", "two"),
      "org/same/SKILL.md": skill("same", "three"),
    });
    expect(skills.all.map(({ name }) => name)).toEqual(["same", "same", "same"]);
    expect(skills.all.map(({ id }) => id)).toEqual([
      "project:one",
      "project:org/same",
      "project:two",
    ]);
    expect(skills.shadowed).toEqual([]);
    expect(skills.get("project:two")?.relativePath).toBe("two");
    expect(skills.get("org/same")?.relativePath).toBe("org/same");
  });
});

describe("lookup", () => {
  it("R-06 ignores case and Unicode form", async () => {
    const { skills } = await open({ "caf\u00e9/SKILL.md": skill("caf\u00e9", "x") });
    for (const name of ["CAF\u00c9", "cafe\u0301", "Cafe\u0301", "\uff43\uff41\uff46\u00e9"]) {
      expect(skills.get(name)?.name, name).toBe("caf\u00e9");
    }
  });

  it("R-06 F-02 resolves the folder's name too, but never instead of a skill's own name", async () => {
    const { skills } = await open({
      "a/SKILL.md": skill("b", "folder a"),
      "b/SKILL.md": skill("c", "folder b"),
    });
    expect(skills.get("b")?.relativePath).toBe("a");
    expect(skills.get("a")?.relativePath).toBe("a");
    expect(skills.get("c")?.relativePath).toBe("b");
  });

  it("R-04 R-06 resolves a namespaced name", async () => {
    const { skills } = await open({ "acme/pdf/SKILL.md": skill("pdf", "acme") });
    expect(skills.get("acme/pdf")).toBe(skills.get("pdf"));
    expect(skills.get("ACME/Pdf@project")).toBe(skills.get("pdf"));
  });

  it("R-06 a missing name is nothing from get and an error with near names from find", async () => {
    const { skills } = await open({
      "pdf-tools/SKILL.md": skill("pdf-tools", "x"),
      "zebra/SKILL.md": skill("zebra", "x"),
    });
    expect(skills.get("pdf-tool")).toBeUndefined();
    expect(skills.find("pdf_tool")).toMatchObject({
      ok: false,
      code: "skill-not-found",
      candidates: ["pdf-tools"],
    });
    for (const name of [
      "",
      "@",
      "@user",
      "a@",
      "__proto__",
      "constructor",
      "../x",
      "x".repeat(1e5),
    ]) {
      expect(skills.find(name), name).toMatchObject({ ok: false, candidates: [] });
    }
    expect(skills.find("Zebra")).toEqual({ ok: true, skill: skills.get("zebra") });
  });

  it("R-06 says that a skill is there but cannot be used, and why", async () => {
    const { skills, folder } = await open({ "a/SKILL.md": "broken" });
    const found = skills.find("A");
    expect(found).toMatchObject({ ok: false, code: "skill-unusable" });
    expect(found.ok ? "" : found.message).toContain(join(folder, "project/a"));
  });
});

it("R-08 a record has id, name, description, source, path, controls – and a digest on demand", async () => {
  const { skills, folder } = await open({
    "org/a/SKILL.md": skillText(
      "a",
      "Does. Use when.",
      "version: '1.2'\ndisable-model-invocation: true\ncontext: fork\n",
    ),
  });
  const record = skills.get("a")!;
  expect(record).toMatchObject({
    id: "project:org/a@1.2",
    name: "a",
    description: "Does. Use when.",
    version: "1.2",
    source: "project",
    root: join(folder, "project"),
    relativePath: "org/a",
    path: join(folder, "project/org/a"),
    modelInvocable: false,
    userInvocable: true,
    runMode: "subagent",
    trusted: true,
    enabled: true,
  });
  expect(skills.get("project:org/a@1.2")).toBe(record);
  const before = await skills.digest(record);
  expect(before).toMatch(/^sha256:[0-9a-f]{64}$/);
  writeTree(record.path, { "references/x.md": "more" });
  expect(await skills.digest(record)).not.toBe(before);
});

it("R-02 R-05 logs what there is to say about a root, once", async () => {
  const folder = temporaryFolder({ "empty/readme.md": "no skill" });
  const warnings: unknown[] = [];
  const nothing = () => undefined;
  const warn = (message: string, context?: object) => warnings.push({ message, ...context });
  const logger = { debug: nothing, info: nothing, warn, error: nothing };
  const roots = [join(folder, "empty"), join(folder, "missing")];
  const skills = await openSkills({ roots, logger });
  expect(skills.diagnostics().map(({ code }) => code)).toEqual(["root-empty", "root-missing"]);
  expect(warnings).toEqual([
    expect.objectContaining({ code: "root-empty", file: roots[0] }),
    expect.objectContaining({ code: "root-missing", file: roots[1] }),
  ]);
  await skills.refresh();
  expect(warnings).toHaveLength(2);
});
