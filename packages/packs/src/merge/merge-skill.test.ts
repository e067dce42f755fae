import { chmodSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { skillDigest } from "@skillwright/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { readFolder } from "../lock/index.ts";
import { type MergedSkill, mergeSkill, writeFolder } from "./index.ts";

type Files = Readonly<Record<string, string>>;

async function merge(base: Files, local: Files, incoming: Files): Promise<MergedSkill> {
  const result = await mergeSkill({
    base: await readFolder(temporaryFolder(base)),
    local: temporaryFolder(local),
    incoming: temporaryFolder(incoming),
  });
  if (!result.ok) throw new Error(result.message);
  return result;
}

function textsOf({ files }: MergedSkill): Files {
  const entries = [...files].map(([path, { bytes }]) => [path, Buffer.from(bytes).toString()]);
  return Object.fromEntries(entries) as Files;
}

const LINES = "1\n2\n3\n4\n5\n6\n7\n";
const MINE = LINES.replace("1", "one");
const THEIRS = LINES.replace("7", "seven");

describe("a file", () => {
  // "-" is no file.
  it.each([
    ["unchanged, changed", "a", "a", "b", "b", ""],
    ["unchanged, deleted", "a", "a", "-", "-", ""],
    ["unchanged, unchanged", "a", "a", "a", "a", ""],
    ["absent, added", "-", "-", "b", "b", ""],
    ["changed, unchanged", "a", "b", "a", "b", "kept"],
    ["deleted, unchanged", "a", "-", "a", "-", "kept"],
    ["added, absent", "-", "b", "-", "b", "kept"],
    ["changed, changed the same", "a", "b", "b", "b", ""],
    ["deleted, deleted", "a", "-", "-", "-", ""],
    ["added, added the same", "-", "b", "b", "b", ""],
    ["changed, changed elsewhere", LINES, MINE, THEIRS, MINE.replace("7", "seven"), "merged"],
    ["changed, changed there too", "a\n", "b\n", "c\n", "-", "same-lines"],
    ["added, added otherwise", "-", "b", "c", "-", "both-added"],
    ["deleted, changed", "a", "-", "b", "-", "deleted-locally"],
    ["changed, deleted", "a", "b", "-", "-", "deleted-upstream"],
    ["binary changed, changed", "a\0", "b\0", "c\0", "-", "binary"],
    ["binary unchanged, changed", "a\0", "a\0", "c\0", "c\0", ""],
    ["text changed, made binary", "a\n", "b\n", "c\0", "-", "binary"],
  ])("K-03 here %s upstream", async (_, base, local, incoming, expected, how) => {
    const files = (content: string): Files => (content === "-" ? {} : { x: content });
    const result = await merge(files(base), files(local), files(incoming));
    expect(textsOf(result)).toEqual(files(expected));
    expect(result.kept).toEqual(how === "kept" ? ["x"] : []);
    expect(result.merged).toEqual(how === "merged" ? ["x"] : []);
    const isConflict = !["", "kept", "merged"].includes(how);
    expect(result.conflicts.map(({ reason }) => reason)).toEqual(isConflict ? [how] : []);
  });

  it("K-03 a conflict shows from yours to the update, and no markers are anywhere", async () => {
    const { conflicts, files } = await merge({ x: "a\n" }, { x: "b\n" }, { x: "c\n" });
    expect(conflicts[0]?.diff).toBe("--- yours/x\n+++ update/x\n@@ -1 +1 @@\n-b\n+c\n");
    expect(files.has("x")).toBe(false);
    const deleted = await merge({ x: "a\n" }, {}, { x: "c\n" });
    expect(deleted.conflicts[0]?.diff).toContain("--- /dev/null\n+++ update/x\n");
    const binary = await merge({ x: "a\0" }, { x: "b\0" }, { x: "c\0" });
    expect(binary.conflicts[0]?.diff).toBe("");
  });

  it("K-03 of which only the digest is known counts as unchanged when it has that", async () => {
    const sha256 = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";
    const input = { base: [], baseDigests: { x: sha256 } };
    const [a, b, c] = ["a", "b", "c"].map((x) => temporaryFolder({ x }));
    const updated = await mergeSkill({ ...input, local: a!, incoming: b! });
    expect(updated).toMatchObject({ ok: true, conflicts: [], kept: [] });
    const kept = await mergeSkill({ ...input, local: b!, incoming: a! });
    expect(kept).toMatchObject({ ok: true, conflicts: [], kept: ["x"] });
    const both = await mergeSkill({ ...input, local: b!, incoming: c! });
    expect(both).toMatchObject({ ok: true, conflicts: [{ reason: "binary" }] });
  });

  it.each([
    ["made executable here", false, true, false, true],
    ["made executable upstream", false, false, true, true],
    ["made plain here", true, false, true, false],
    ["made plain upstream", true, true, false, false],
  ])("K-03 %s stays so, whatever its content", async (_, was, mine, theirs, expected) => {
    const [base, local, incoming] = [LINES, MINE, THEIRS].map((x) =>
      temporaryFolder({ x, y: "same" }),
    );
    for (const [folder, bit] of [
      [base, was],
      [local, mine],
      [incoming, theirs],
    ] as const) {
      chmodSync(join(folder!, "x"), bit ? 0o755 : 0o644);
      chmodSync(join(folder!, "y"), bit ? 0o755 : 0o644);
    }
    const result = await mergeSkill({
      base: await readFolder(base!),
      local: local!,
      incoming: incoming!,
    });
    expect(result.ok && result.files.get("x")?.executable).toBe(expected);
    expect(result.ok && result.files.get("y")?.executable).toBe(expected);
  });
});

it.each<[string, Files, Files, string]>([
  ["spelt alike", { "Notes.md": "a" }, { "notes.md": "b" }, "Notes.md"],
  ["a file and a folder", { notes: "a" }, { "notes/a.md": "b" }, "notes"],
  ["a folder and a file", { "notes/a.md": "a" }, { notes: "b" }, "notes"],
])("K-05 names that cannot stand together are a conflict: %s", async (_, local, incoming, path) => {
  const { conflicts } = await merge({}, local, incoming);
  expect(conflicts).toMatchObject([{ path, reason: "name-collision" }]);
});

it("K-05 a link in the local folder is refused", async () => {
  const local = temporaryFolder({ x: "a" });
  symlinkSync("/etc/passwd", join(local, "y"));
  const result = await mergeSkill({ base: [], local, incoming: temporaryFolder({ x: "a" }) });
  expect(result).toMatchObject({ ok: false, code: "skill-invalid" });
});

it("K-03 without local edits a merge is the new version, and without news the local one", async () => {
  const content = fc.constantFrom("", "a\n", "a\nb\n", "b\0", "c");
  const contents = fc.dictionary(fc.constantFrom("a", "b/c", "b/d", "e"), content);
  await fc.assert(
    fc.asyncProperty(contents, contents, async (base, other) => {
      const updated = await merge(base, base, other);
      expect(textsOf(updated)).toEqual({ ...other });
      expect([updated.conflicts, updated.kept, updated.merged]).toEqual([[], [], []]);
      const kept = await merge(base, other, base);
      expect(textsOf(kept)).toEqual({ ...other });
      expect(kept.conflicts).toEqual([]);
      const destination = join(temporaryFolder(), "staged");
      writeFolder(kept.files.values(), destination);
      expect(await skillDigest(destination)).toBe(await skillDigest(temporaryFolder(other)));
    }),
    { numRuns: 50 },
  );
});

it("K-02 a merged folder is written once, with its bits, and nowhere else", () => {
  const destination = join(temporaryFolder(), "staged");
  const bytes = Buffer.from("x");
  writeFolder([{ path: "scripts/run.sh", bytes, executable: true }], destination);
  expect(statSync(join(destination, "scripts/run.sh")).mode & 0o111).not.toBe(0);
  expect(readFileSync(join(destination, "scripts/run.sh"), "utf8")).toBe("x");
  expect(() => writeFolder([], destination)).toThrow("EEXIST");
  const other = join(temporaryFolder(), "staged");
  expect(() => writeFolder([{ path: "../x", bytes, executable: false }], other)).toThrow("upwards");
});
