import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../host/index.ts";
import { directorySource, diskCache } from "../index.ts";

describe("what the registry must not do", () => {
  const skill = (name: string, more = "") =>
    `---\nname: ${name}\ndescription: Works. Use when asked.\n${more}---\n`;

  it("R-09 reuse an index that was made under other rules", async () => {
    const root = temporaryFolder({
      "pdf/SKILL.md": "---\nname: pdf\ndescription: Reads <b>. Use when asked.\n---\n",
    });
    const cache = diskCache(temporaryFolder());
    const open = (rules: Record<string, "off">) =>
      openSkills({ roots: [directorySource(root, { label: "project", rules })], cache });
    expect((await open({ "angle-brackets": "off" })).get("pdf")?.modelInvocable).toBe(true);
    expect((await open({})).get("pdf")?.modelInvocable).toBe(false);
  });

  it("R-12 take the project's own folder for the user's", async () => {
    const home = temporaryFolder({ "work/.git/HEAD": "", "work/pdf/SKILL.md": skill("pdf") });
    const skills = await openSkills({ cwd: `${home}/work`, home, skillRoots: ["."] });
    expect(skills.get("pdf")?.source).toBe("project");
  });

  it("R-02 list the user's skills twice in the home directory", async () => {
    const home = temporaryFolder({ ".agent/skills/pdf/SKILL.md": skill("pdf") });
    const skills = await openSkills({ cwd: home, home });
    expect(skills.all.map(({ source }) => source)).toEqual(["user"]);
    expect(skills.shadowed).toEqual([]);
  });

  it("R-09 join a look that began before a file was written", async () => {
    const root = temporaryFolder({ "one/SKILL.md": skill("one") });
    const skills = await openSkills({ roots: [root] });
    const earlier = skills.refresh();
    await Promise.resolve();
    mkdirSync(`${root}/two`);
    writeFileSync(`${root}/two/SKILL.md`, skill("two"));
    await skills.refresh();
    expect(skills.get("two")).toBeDefined();
    await earlier;
  });

  it("R-04 lose the way to a copy with the same content", async () => {
    const home = temporaryFolder({ ".agent/skills/pdf/SKILL.md": skill("pdf") });
    const cwd = temporaryFolder({ ".git/HEAD": "", ".agent/skills/pdf/SKILL.md": skill("pdf") });
    const isTrusted = ({ source }: { source: string }) => source === "user";
    const skills = await openSkills({ cwd, home, isTrusted });
    expect(skills.get("pdf@USER")?.alsoFrom).toEqual(["user"]);
    expect(skills.get("pdf")?.trusted).toBe(true);
    expect(skills.explain("pdf").places.map(({ source }) => source)).toEqual(["project", "user"]);
  });

  it("R-05 overlook a root that is itself a skill", async () => {
    const root = temporaryFolder({ "pdf/SKILL.md": skill("pdf") });
    expect((await openSkills({ roots: [`${root}/pdf`] })).all.map(({ name }) => name)).toEqual([
      "pdf",
    ]);
  });

  it("R-09 call a skill changed that is not", async () => {
    const root = temporaryFolder({ "pdf/SKILL.md": skill("pdf") });
    const inline = [{ name: "code", description: "Works. Use when asked.", instructions: "Do." }];
    const skills = await openSkills({ roots: [root], inline });
    expect(await skills.refresh()).toEqual({ added: [], removed: [], changed: [] });
    expect(await skills.digest(skills.get("code")!)).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it("R-09 trust an index of another shape, whatever its checksum says", async () => {
    const root = temporaryFolder({ "pdf/SKILL.md": skill("pdf") });
    const folder = temporaryFolder();
    await openSkills({ roots: [root], cache: diskCache(folder) });
    const file = join(folder, readdirSync(folder)[0] ?? "");
    for (const index of [
      { folders: null, skills: {} },
      { folders: { "": { stamp: "", skills: ["../../etc"], folders: [] } }, skills: {} },
      { folders: {}, skills: { pdf: null } },
    ]) {
      const payload = JSON.stringify({ root, ...index });
      const checksum = createHash("sha256").update(payload).digest("hex");
      writeFileSync(file, `${readFileSync(file, "utf8").split(" ")[0]} ${checksum}\n${payload}`);
      const skills = await openSkills({ roots: [root], cache: diskCache(folder) });
      expect(skills.all.map(({ name }) => name)).toEqual(["pdf"]);
    }
  });
});
