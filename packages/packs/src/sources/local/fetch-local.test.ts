import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fetchSource, SKILL, skillText } from "../../../../../test/support/fetch-source.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";

it("K-02 takes the skills of a project and nothing around them", async () => {
  const project = temporaryFolder({
    "skills/dates/SKILL.md": SKILL,
    "skills/times/SKILL.md": skillText("times"),
    "node_modules/x/SKILL.md": skillText("other"),
    "large.bin": "x".repeat(100_000),
  });
  symlinkSync("/etc", join(project, "elsewhere"));
  const { pack, quarantine } = await fetchSource(".", { cwd: project, limits: { bytes: 1000 } });
  expect(pack.skills.map(({ path }) => path)).toEqual(["skills/dates", "skills/times"]);
  expect(readdirSync(join(quarantine, "pack"))).toEqual(["skills"]);
});

it("K-02 counts the limits over all skills together", async () => {
  const files = Object.fromEntries(
    ["a", "b", "c"].map((name) => [`${name}/SKILL.md`, skillText(name)]),
  );
  const cwd = temporaryFolder(files);
  expect((await fetchSource(".", { cwd, limits: { files: 3 } })).pack.skills).toHaveLength(3);
  const { failure, quarantine } = await fetchSource(".", { cwd, limits: { files: 2 } });
  expect(failure.code).toBe("limit-exceeded");
  expect(readdirSync(quarantine)).toEqual([]);
});

it("K-05 a skill with a link is left out, or refused when it is the only one", async () => {
  const cwd = temporaryFolder({ "a/SKILL.md": skillText("a"), "b/SKILL.md": skillText("b") });
  symlinkSync("/etc/passwd", join(cwd, "b/link"));
  const { pack } = await fetchSource(".", { cwd });
  expect(pack.skills.map(({ name }) => name)).toEqual(["a"]);
  expect(pack.notes.join()).toContain("left out: b");
  expect((await fetchSource("./b", { cwd })).failure.code).toBe("archive-unsafe");
});

it("K-02 a folder that is a link itself is taken", async () => {
  const cwd = temporaryFolder({ "real/SKILL.md": SKILL });
  symlinkSync("real", join(cwd, "linked"));
  expect((await fetchSource("./linked", { cwd })).files).toEqual({ "SKILL.md": SKILL });
});

it("K-05 a skill is not copied into itself", async () => {
  const cwd = temporaryFolder({ "SKILL.md": SKILL });
  const quarantine = join(cwd, "inside");
  mkdirSync(quarantine);
  expect((await fetchSource(".", { cwd, quarantine })).failure.code).toBe("source-invalid");
});
