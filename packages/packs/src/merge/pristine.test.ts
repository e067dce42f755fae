import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileDigests } from "@skillwright/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { lockedSkill, readFolder } from "../lock/index.ts";
import { readPristine, savePristine } from "./index.ts";

async function saved(files: Readonly<Record<string, string>>) {
  const directory = temporaryFolder(files);
  const skill = lockedSkill({
    name: "x",
    origin: { type: "local", source: "x" },
    skillPath: "",
    files: await fileDigests(directory),
  });
  const stateFolder = join(temporaryFolder(), ".skillwright");
  savePristine(stateFolder, skill.digest, await readFolder(directory));
  const file = join(stateFolder, "pristine", skill.digest.slice("sha256:".length));
  return { directory, skill, stateFolder, file };
}

it("K-03 gives back what was kept, bits included, and the same bytes each time", async () => {
  const contents = fc.dictionary(
    fc.constantFrom("SKILL.md", "a/b", "a/c", "10", "9"),
    fc.string({ unit: "binary" }),
  );
  await fc.assert(
    fc.asyncProperty(contents, async (files) => {
      const { directory, skill, stateFolder, file } = await saved(files);
      expect(readPristine(stateFolder, skill)).toEqual(await readFolder(directory));
      const before = readFileSync(file);
      savePristine(stateFolder, skill.digest, await readFolder(directory));
      expect(readFileSync(file)).toEqual(before);
      expect(readdirSync(join(stateFolder, "pristine"))).toHaveLength(1);
    }),
    { numRuns: 30 },
  );
  const directory = temporaryFolder({ "run.sh": "x" });
  chmodSync(join(directory, "run.sh"), 0o755);
  const { skill, stateFolder } = await saved({ "run.sh": "x" });
  savePristine(stateFolder, skill.digest, await readFolder(directory));
  expect(readPristine(stateFolder, skill)?.[0]?.executable).toBe(true);
});

it("K-03 leaves out large files, and stops at a total", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 10 }, (_, i) => [`f${i}`, "x".repeat(1024 * 1024)]),
  );
  const { skill, stateFolder, file } = await saved({
    ...files,
    big: "y".repeat(1024 * 1024 + 1),
    small: "z",
  });
  const paths = readPristine(stateFolder, skill)?.map(({ path }) => path);
  expect(paths).toEqual(["f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7"]);
  expect(readFileSync(file).length).toBeLessThan(8 * 1024 * 1024 + 1000);
});

describe("a copy that is not what it should be is not used", () => {
  it.each<[string, (text: string) => string]>([
    ["changed content", (text) => text.replace("hello", "jello")],
    ["cut off", (text) => text.slice(0, -1)],
    ["more at its end", (text) => `${text}x`],
    ["no header", () => "hello"],
    ["an empty file", () => ""],
    ["a header that is no JSON", (text) => text.replace("{", "")],
    ["another version", (text) => text.replace('"version":1', '"version":2')],
    ["a path that is not locked", (text) => text.replace('"SKILL.md"', '"../../x"')],
    ["a negative size", (text) => text.replace('"size":5', '"size":-5')],
    ["a huge size", (text) => text.replace('"size":5', '"size":9007199254740991')],
    ["a file twice", (text) => text.replace(/\[(\{.*\})\]\}\n/, "[$1,$1]}\n") + text.slice(-5)],
    ["null files", () => '{"version":1,"files":[null]}\n'],
  ])("K-05 with %s", async (_, change) => {
    const { skill, stateFolder, file } = await saved({ "SKILL.md": "hello" });
    expect(readPristine(stateFolder, skill)).toHaveLength(1);
    writeFileSync(file, change(readFileSync(file, "utf8")));
    expect(readPristine(stateFolder, skill)).toBeUndefined();
  });

  it("K-05 when it is huge, missing, a link, or below a link", async () => {
    const { skill, stateFolder, file } = await saved({ "SKILL.md": "hello" });
    const linked = join(temporaryFolder(), ".skillwright");
    symlinkSync(stateFolder, linked);
    expect(readPristine(linked, skill)).toBeUndefined();
    const other = join(temporaryFolder(), ".skillwright");
    mkdirSync(join(other, "pristine"), { recursive: true });
    expect(readPristine(other, skill)).toBeUndefined();
    symlinkSync(file, join(other, "pristine", skill.digest.slice("sha256:".length)));
    expect(readPristine(other, skill)).toBeUndefined();
    truncateSync(file, 200 * 1024 * 1024);
    expect(readPristine(stateFolder, skill)).toBeUndefined();
  });
});

it("K-05 is not written through a link", async () => {
  const { directory, skill } = await saved({ "SKILL.md": "hello" });
  const [outside, root] = [temporaryFolder(), temporaryFolder()];
  symlinkSync(outside, join(root, ".skillwright"));
  const content = await readFolder(directory);
  expect(() => savePristine(join(root, ".skillwright"), skill.digest, content)).toThrow(
    "is a link",
  );
  mkdirSync(join(root, "state"));
  symlinkSync(outside, join(root, "state/pristine"));
  expect(() => savePristine(join(root, "state"), skill.digest, content)).toThrow("is a link");
  expect(readdirSync(outside)).toEqual([]);
  expect(() => savePristine(join(root, "s"), "sha256:../x", content)).toThrow("digest");
});
