import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { findCandidates, type FindCandidatesOptions } from "./index.ts";

const skill = (name: string) => `---\nname: ${name}\ndescription: What it does.\n---\n`;

async function found(files: Record<string, string>, options: FindCandidatesOptions = {}) {
  const folder = temporaryFolder(files);
  const result = await findCandidates(folder, options);
  if (!result.ok) return result;
  const { skills, notes } = result;
  for (const { directory, path } of skills) expect(directory).toBe(join(folder, path));
  return { skills: skills.map(({ name, path }) => `${path} ${name}`), notes };
}

describe("findCandidates", () => {
  it("K-01 finds one at the root, in one folder, and in many at any depth up to six", async () => {
    expect(await found({ "SKILL.md": skill("root-skill") })).toMatchObject({
      skills: [" root-skill"],
    });
    expect(await found({ "pdf/SKILL.md": skill("pdf") })).toMatchObject({ skills: ["pdf pdf"] });
    const many = {
      "manifest.json": "{}",
      "README.md": "",
      "plugins/x/skills/y/SKILL.md": skill("y"),
      "skills/b/SKILL.md": skill("b"),
      "skills/a/SKILL.md": skill("a"),
      "skills/a/assets/example/SKILL.md": skill("part-of-a"),
      "1/2/3/4/5/6/SKILL.md": skill("six"),
      "node_modules/z/SKILL.md": skill("z"),
      ".skillwright/z/SKILL.md": skill("z"),
    };
    expect(await found(many)).toEqual({
      skills: ["1/2/3/4/5/6 six", "plugins/x/skills/y y", "skills/a a", "skills/b b"],
      notes: [],
    });
  });

  it("K-01 says where it did not search", async () => {
    const files = { "a/SKILL.md": skill("a"), "1/2/3/4/5/6/7/SKILL.md": skill("seven") };
    expect(await found(files)).toEqual({
      skills: ["a a"],
      notes: ['not searched, being more than 6 folders deep: "1/2/3/4/5/6/7"'],
    });
  });

  it("K-01 takes the name of the frontmatter if it can be one, else that of the folder", async () => {
    const files = {
      "one/SKILL.md": skill("other-name"),
      "two/SKILL.md": skill("Not A Name"),
      "three/SKILL.md": skill("../../evil"),
      "four/SKILL.md": "no frontmatter",
      "five/SKILL.md": "---\nname: without-description\n---\n",
      "six/SKILL.md": skill("a".repeat(65)),
    };
    expect(await found(files)).toMatchObject({
      skills: ["five five", "four four", "one other-name", "six six", "three three", "two two"],
    });
  });

  it("K-05 refuses a skill at the root that has no usable name", async () => {
    const files = { "SKILL.md": skill("../evil") };
    expect(await found(files)).toMatchObject({ ok: false, code: "skill-invalid" });
    const undescribed = await found({ "SKILL.md": "---\nname: a\n---\n" });
    expect(undescribed).toMatchObject({ message: expect.stringContaining("description") });
    expect(await found(files, { rootName: "my-repository" })).toMatchObject({
      skills: [" my-repository"],
    });
  });

  it("K-01 keeps two of one name and says so", async () => {
    const files = { "a/SKILL.md": skill("same"), "b/SKILL.md": skill("same") };
    expect(await found(files)).toEqual({
      skills: ["a same", "b same"],
      notes: ['2 skills are named "same": "a", "b"'],
    });
  });

  it("K-05 names what is there when there is no skill, and how one is misspelt", async () => {
    expect(await found({ "README.md": "", "src/x.ts": "" })).toMatchObject({
      code: "skill-missing",
      message: 'the pack has no SKILL.md; at its top are "README.md", "src/"',
    });
    const misspelt = await found({ "a/skill.md": skill("a") });
    expect(misspelt).toMatchObject({ code: "skill-missing" });
    expect("hint" in misspelt && misspelt.hint).toContain('"a/skill.md"');
    expect(await found({})).toMatchObject({ message: "the pack has no SKILL.md; it is empty" });
    expect(await found({ "a/skill.md": skill("a"), "b/SKILL.md": skill("b") })).toEqual({
      skills: ["b b"],
      notes: ['not taken, since the name must be SKILL.md: "a/skill.md"'],
    });
  });

  it("K-05 follows no links and takes no folder named SKILL.md", async () => {
    const outside = temporaryFolder({ "evil/SKILL.md": skill("evil") });
    const folder = temporaryFolder({ "a/SKILL.md": skill("a") });
    symlinkSync(join(outside, "evil"), join(folder, "link"));
    mkdirSync(join(folder, "b"));
    symlinkSync(join(outside, "evil/SKILL.md"), join(folder, "b/SKILL.md"));
    mkdirSync(join(folder, "c/SKILL.md"), { recursive: true });
    const result = await findCandidates(folder);
    expect(result.ok && result.skills.map(({ path }) => path)).toEqual(["a"]);
  });

  it("K-05 gives up on thousands of folders without a skill, and when canceled", async () => {
    const folder = temporaryFolder();
    for (let i = 0; i < 2001; i++) mkdirSync(join(folder, `${i}`));
    expect(await findCandidates(folder)).toMatchObject({ code: "limit-exceeded" });
    const canceled = await findCandidates(folder, { signal: AbortSignal.abort() });
    expect(canceled).toMatchObject({ code: "canceled" });
    expect(await findCandidates(join(folder, "nothing"))).toMatchObject({ code: "source-missing" });
  });
});
