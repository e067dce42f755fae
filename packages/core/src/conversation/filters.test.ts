import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { skillText, writeTree } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { echoExecutor } from "../../../../test/support/tool-skills.ts";
import { directorySource, type OpenSkillsOptions, openSkills, type SkillRecord } from "../index.ts";

const from =
  (source: string) =>
  (record: SkillRecord): boolean =>
    record.source === source;

async function open(
  project: Readonly<Record<string, string>>,
  user: Readonly<Record<string, string>>,
  options: OpenSkillsOptions = {},
) {
  const roots = [temporaryFolder(project), temporaryFolder(user)];
  const skills = await openSkills({
    roots: roots.map((root, i) => directorySource(root, { label: i === 0 ? "project" : "user" })),
    ...options,
  });
  return { roots, skills };
}

const pdf = (text: string) => `${skillText("pdf", text)}${text} steps.\n`;

describe("a filter and skills of one name", () => {
  it("D-12 the skill that the filter leaves is the one its name means", async () => {
    const { skills } = await open(
      { "pdf/SKILL.md": pdf("The project's. Use when.") },
      { "pdf/SKILL.md": pdf("The user's, for parchment. Use when.") },
    );
    const all = skills.conversation();
    const users = skills.conversation({ include: from("user") });
    expect(all.skills.map(({ source }) => source)).toEqual(["project"]);
    expect(users.skills.map(({ source }) => source)).toEqual(["user"]);
    expect(users.skills[0]).not.toHaveProperty("shadowedBy");
    expect(users.catalog().text).toContain("parchment");
    expect(users.instructions()).toContain("parchment");
    expect(all.catalog().text).not.toContain("parchment");
    for (const name of ["pdf", "PDF", "pdf@user", "user:pdf"]) {
      expect(users.find(name)).toMatchObject({ ok: true, skill: { source: "user" } });
    }
    expect(users.find("pdf@project")).toMatchObject({ ok: false, code: "skill-not-found" });
    const activated = await users.activate("pdf");
    expect(activated.ok && activated.text).toContain("The user's, for parchment. Use when. steps.");
    expect((await users.search("parchment")).map(({ source }) => source)).toEqual(["user"]);
    expect(await all.search("parchment")).toEqual([]);
    expect(await all.activate("pdf")).toMatchObject({ alreadyActive: false, source: "project" });
  });

  it("D-12 a copy with the same files counts where the filter leaves only the copy", async () => {
    const { skills } = await open(
      { "pdf/SKILL.md": pdf("Same.") },
      { "pdf/SKILL.md": pdf("Same.") },
    );
    expect(skills.all[0]?.alsoFrom).toEqual(["user"]);
    const users = skills.conversation({ include: from("user") });
    expect(users.skills).toMatchObject([{ source: "user", alsoAt: [] }]);
    expect(await users.activate("pdf")).toMatchObject({ ok: true, source: "user" });
    expect(skills.conversation({ include: () => true }).skills).toHaveLength(1);
  });

  it("D-12 R-08 among those the filter leaves, a trusted skill comes before one that is not", async () => {
    const { skills } = await open(
      { "a/pdf/SKILL.md": pdf("A."), "b/pdf/SKILL.md": pdf("B.") },
      { "pdf/SKILL.md": pdf("User.") },
      { isTrusted: ({ relativePath }) => relativePath !== "b/pdf" },
    );
    const rest = skills.conversation({ include: ({ relativePath }) => relativePath !== "a/pdf" });
    expect(rest.skills.map(({ source }) => source)).toEqual(["user"]);
    const person = skills.conversation({
      audience: "person",
      include: ({ relativePath }) => relativePath !== "a/pdf",
    });
    expect(person.skills.map(({ id, shadowedBy }) => [id, shadowedBy])).toEqual([
      ["project:b/pdf", "user:pdf"],
      ["user:pdf", undefined],
    ]);
  });

  it("D-12 is what a registry of only these skills would give", async () => {
    const names = ["a", "b", "c"];
    const skill = fc.record({
      folder: fc.constantFrom("x", "y", "z"),
      name: fc.constantFrom(...names),
      text: fc.constantFrom("One.", "Two."),
    });
    const root = fc.uniqueArray(skill, { selector: ({ folder }) => folder, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        root,
        root,
        fc.subarray(["0x", "0y", "0z", "1x", "1y", "1z"]),
        async (...given) => {
          const [first, second, kept] = given;
          const folders = [first, second].map((list) =>
            temporaryFolder(
              Object.fromEntries(
                list.map(({ folder, name, text }) => [`${folder}/SKILL.md`, skillText(name, text)]),
              ),
            ),
          );
          const sources = folders.map((path, i) => directorySource(path, { label: `root${i}` }));
          const place = ({ source, relativePath }: SkillRecord) => source.slice(4) + relativePath;
          const include = (record: SkillRecord) => kept.includes(place(record));
          const skills = await openSkills({ roots: sources });
          for (const [i, list] of [first, second].entries()) {
            for (const { folder } of list) {
              if (!kept.includes(`${i}${folder}`))
                rmSync(join(folders[i] ?? "", folder), { recursive: true });
            }
          }
          const fewer = await openSkills({ roots: sources });
          const chat = skills.conversation({ include });
          expect(chat.skills.map(place)).toEqual(fewer.conversation().skills.map(place));
          for (const name of [...names, "x", "y", "a@root1", "b@root0"]) {
            const [one, other] = [chat.find(name), fewer.conversation().find(name)];
            expect(one.ok && place(one.skill)).toEqual(other.ok && place(other.skill));
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe("tools of a conversation", () => {
  it("D-12 list the names of the moment at which their definition is read", async () => {
    const { roots, skills } = await open({ "pdf/SKILL.md": pdf("Reads.") }, {});
    const chat = skills.conversation();
    const [load] = chat.tools();
    const names = () => load?.inputSchema.properties["skill_name"]?.["enum"];
    expect(names()).toEqual(["pdf"]);
    writeTree(roots[1] ?? "", { "dates/SKILL.md": skillText("dates") });
    await skills.refresh();
    expect(names()).toEqual(["pdf", "dates"]);
  });

  it("D-12 offer scripts only of skills that have some, and only with something to run them", async () => {
    const { skills } = await open(
      { "pdf/SKILL.md": pdf("Reads."), "pdf/scripts/read.py": "" },
      { "dates/SKILL.md": skillText("dates") },
    );
    const run = (chat: ReturnType<typeof skills.conversation>) =>
      chat.tools().find(({ name }) => name === "run_skill_script");
    expect(run(skills.conversation())).toBeUndefined();
    for (const scripts of [echoExecutor, { executor: echoExecutor }]) {
      const tool = run(skills.conversation({ scripts }));
      expect(tool?.inputSchema.properties["skill_name"]?.["enum"]).toEqual(["pdf"]);
    }
    expect(run(skills.conversation({ scripts: echoExecutor, include: ["dates"] }))).toBeUndefined();
  });
});

describe("changes", () => {
  it("D-12 are told to a conversation when they concern its skills", async () => {
    const { roots, skills } = await open({ "pdf/SKILL.md": pdf("Reads.") }, {});
    const heard: unknown[] = [];
    const stop = skills
      .conversation({ include: ["pdf", "csv"] })
      .onChange((change) => heard.push(change));
    writeTree(roots[1] ?? "", { "dates/SKILL.md": skillText("dates") });
    await skills.refresh();
    expect(heard).toEqual([]);
    writeTree(roots[1] ?? "", { "csv/SKILL.md": skillText("csv") });
    rmSync(join(roots[0] ?? "", "pdf"), { recursive: true });
    await skills.refresh();
    expect(heard).toEqual([{ added: ["csv"], removed: ["pdf"], changed: [] }]);
    stop();
    rmSync(join(roots[1] ?? "", "csv"), { recursive: true });
    await skills.refresh();
    expect(heard).toHaveLength(1);
  });
});
