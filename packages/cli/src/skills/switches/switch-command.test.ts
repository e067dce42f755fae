import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { skillText } from "../../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { workplace } from "../../../../../test/support/workplace.ts";

/** What is enabled, as `source:folder`. */
async function enabled({ json }: ReturnType<typeof workplace>): Promise<string[]> {
  const { skills } = await json("list", "--all");
  return (skills as Record<string, unknown>[])
    .filter((skill) => skill["enabled"] === true)
    .map(({ source, path }) => `${String(source)}:${String(path).replace(/.*\/skills\//, "")}`)
    .sort();
}

describe("skillwright disable", () => {
  const two = () =>
    workplace(
      { ".agent/skills/pdf/SKILL.md": skillText("pdf", "Theirs. Use when asked.") },
      { ".agent/skills/pdf/SKILL.md": skillText("pdf", "Mine. Use when asked.") },
    );

  it("R-12 by name switches off every skill of that name", async () => {
    const place = two();
    await place.run("disable", "PDF");
    expect(await enabled(place)).toEqual([]);
    await place.run("enable", "pdf");
    expect(await enabled(place)).toEqual(["project:pdf", "user:pdf"]);
  });

  it.each([["pdf@user"], ["pdf", "--source", "user"], ["user:pdf"]])(
    "R-04 R-12 by source switches off only that one: %s %s %s",
    async (...args) => {
      const place = two();
      await place.run("trust");
      const { stdout } = await place.run("disable", ...args);
      expect(stdout).toContain("user:pdf is now disabled everywhere");
      expect(await enabled(place)).toEqual(["project:pdf"]);
      expect((await place.run("enable", ...args)).stdout).toContain("user:pdf is now enabled");
      expect(await enabled(place)).toEqual(["project:pdf", "user:pdf"]);
    },
  );

  it("R-12 by path switches off only that one", async () => {
    const place = workplace({
      ".agent/skills/a/pdf/SKILL.md": skillText("pdf", "One. Use when asked."),
      ".agent/skills/b/pdf/SKILL.md": skillText("pdf", "Two. Use when asked."),
    });
    const { stdout } = await place.run("disable", "b/pdf");
    expect(stdout).toContain(`project:b/pdf is now disabled in ${place.cwd}`);
    expect(await enabled(place)).toEqual(["project:a/pdf"]);
    const other = temporaryFolder({ ".agent/skills/b/pdf/SKILL.md": skillText("pdf") });
    expect((await place.run("list", "--cwd", other, "--quiet")).stdout).toBe("pdf\n");
    expect((await place.run("enable", "b/pdf")).exitCode).toBe(0);
    expect(await enabled(place)).toEqual(["project:a/pdf", "project:b/pdf"]);
  });
});

describe("skillwright enable", () => {
  const one = (config = "{}") =>
    workplace({ ".agent/skills/pdf/SKILL.md": skillText("pdf") }, { ".agent/config.json": config });

  it("R-12 says that a switch of the project still holds, and how to undo it", async () => {
    const { run, json, cwd } = one();
    await run("disable", "pdf", "--project");
    const { exitCode, stdout } = await run("enable", "pdf");
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`switched off in ${cwd}`);
    expect(stdout).toContain("skillwright enable pdf --project");
    expect(await json("enable", "pdf")).toMatchObject({ enabled: false, changed: false });
    expect((await run("enable", "pdf", "--project")).exitCode).toBe(0);
  });

  it("R-12 says that one everywhere still holds in the project", async () => {
    const { run } = one();
    await run("disable", "pdf");
    const { exitCode, stdout } = await run("enable", "pdf", "--project");
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining("skillwright enable pdf\n")]);
  });

  it("R-12 C-02 names the file whose disabledSkills hold", async () => {
    const { run, home } = one('{ "disabledSkills": ["pdf"] }');
    const { exitCode, stdout } = await run("enable", "pdf");
    expect(exitCode).toBe(1);
    expect(stdout).toContain(join(home, ".agent/config.json"));
  });

  it("R-12 by name also takes back what was switched off by source", async () => {
    const { run } = one();
    await run("disable", "pdf@project");
    const { exitCode, stdout } = await run("enable", "pdf");
    expect([exitCode, stdout]).toEqual([0, "pdf is now enabled everywhere\n"]);
    expect((await run("enable", "pdf")).stdout).toBe("pdf was already enabled everywhere\n");
  });

  it("R-12 by source says that the name is switched off", async () => {
    const { run } = one();
    await run("disable", "pdf");
    const { exitCode, stdout } = await run("enable", "pdf@project");
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining("skillwright enable pdf\n")]);
  });
});
