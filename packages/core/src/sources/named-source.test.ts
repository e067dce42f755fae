import { symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { skillText, writeTree } from "../../../../test/support/skill-tree.ts";
import { numRuns } from "../../../../test/support/suite.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../host/index.ts";
import { namedSource } from "../internal/index.ts";

const FILES = Object.fromEntries(
  ["a", "b", "c", "d"].map((name) => [`${name}/SKILL.md`, skillText(name)]),
);

async function load(directory: string, names: readonly string[]) {
  const skills = await openSkills({ directory, names });
  return {
    names: skills.all.map(({ name }) => name),
    codes: skills.diagnostics().map(({ code }) => code),
  };
}

it("R-03 loads exactly the named skills in the given order", async () => {
  const root = temporaryFolder(FILES);
  expect(await load(root, ["c", "a", "d"])).toEqual({ names: ["c", "a", "d"], codes: [] });
});

it("R-03 skips names that do not exist or do not parse, with a diagnostic each", async () => {
  const root = temporaryFolder({ ...FILES, "bad/SKILL.md": "no frontmatter", "empty/x.txt": "" });
  const { names, codes } = await load(root, ["d", "nowhere", "bad", "empty", "a"]);
  expect(names).toEqual(["d", "a"]);
  expect(codes.toSorted()).toEqual(["frontmatter-missing", "named-missing", "named-missing"]);
});

it.each([
  "",
  ".",
  "..",
  "../a",
  "a/../../x",
  "a/../b",
  "a/",
  "/etc",
  "org/a",
  "..\\a",
  "a\\b",
  "\\\\host\\share",
  "C:\\a",
  "a\0",
  "a..b",
])("R-03 refuses the name %j", async (name) => {
  const folder = temporaryFolder({
    "x/SKILL.md": skillText("x"),
    "root/a/SKILL.md": skillText("a"),
    "root/org/a/SKILL.md": skillText("a"),
    "root/SKILL.md": skillText("root"),
    "root/a\\b/SKILL.md": skillText("b"),
    "root/a..b/SKILL.md": skillText("b"),
  });
  const { names, codes } = await load(join(folder, "root"), [name, "a"]);
  expect([names, codes]).toEqual([["a"], ["named-missing"]]);
});

it("R-03 loads nothing for an empty folder name or list, and never all", async () => {
  const root = temporaryFolder(FILES);
  const cwd = temporaryFolder({ ".agent/skills/z/SKILL.md": skillText("z") });
  const none = async (options: Parameters<typeof openSkills>[0]) =>
    (await openSkills({ cwd, home: cwd, ...options })).all;
  expect(await none({ directory: "", names: ["a"] })).toEqual([]);
  expect(await none({ directory: root, names: [] })).toEqual([]);
  expect(await none({ directory: root })).toEqual([]);
  expect(await none({ names: ["z"] })).toEqual([]);
  expect(await none({ names: [] })).toEqual([]);
});

it("R-03 takes a skill folder that is a link and refuses a linked SKILL.md", async () => {
  const folder = temporaryFolder({ ...FILES, "root/l/x.txt": "" });
  symlinkSync(join(folder, "a"), join(folder, "root/a"));
  symlinkSync(join(folder, "b/SKILL.md"), join(folder, "root/l/SKILL.md"));
  const { names, codes } = await load(join(folder, "root"), ["a", "l"]);
  expect([names, codes]).toEqual([["a"], ["named-missing"]]);
});

it("R-03 R-07 keeps a name that is asked for twice, twice", async () => {
  const skills = await openSkills({ directory: temporaryFolder(FILES), names: ["a", "b", "a"] });
  expect(skills.all.map(({ name }) => name)).toEqual(["a", "b", "a"]);
  expect(new Set(skills.all.map(({ id }) => id)).size).toBe(3);
});

it("R-03 watches only its folder, and nothing without one", () => {
  expect(namedSource({ directory: "/x/y", names: [] }).roots).toEqual(["/x/y"]);
  expect(namedSource({ directory: "", names: ["a"] }).roots).toEqual([]);
});

// None that YAML might take for something else than text.
const name = fc.stringMatching(/^s[a-z0-9]{0,5}(-[a-z0-9]{1,4})?$/);
const kind = fc.constantFrom("valid", "valid", "valid", "broken", "no file");
const library = fc
  .uniqueArray(fc.record({ name, kind }), { selector: (entry) => entry.name, maxLength: 8 })
  .chain((made) =>
    fc.record({
      made: fc.constant(made),
      wanted: fc
        .array(name, { maxLength: 3 })
        .chain((more) => fc.shuffledSubarray([...made.map((entry) => entry.name), ...more])),
    }),
  );

it("N-02 R-03 Feature: remove-skill-catalog-config, Property 1: only the named skills are loaded", async () => {
  const folder = temporaryFolder();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(library, async ({ made, wanted }) => {
      const root = join(folder, String(run++));
      for (const { name, kind } of made) {
        const text = kind === "valid" ? skillText(name) : "no frontmatter";
        writeTree(root, { [`${name}/${kind === "no file" ? "notes.md" : "SKILL.md"}`]: text });
      }
      const valid = new Set(made.filter(({ kind }) => kind === "valid").map((entry) => entry.name));
      const { names, codes } = await load(root, wanted);
      expect(names).toEqual(wanted.filter((name) => valid.has(name)));
      expect(codes).toHaveLength(wanted.length - names.length);
    }),
    { numRuns: numRuns(150) },
  );
});
