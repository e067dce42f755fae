import { combineDigests, fileDigests } from "@skillwright/core/internal";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { PackManifest } from "../index.ts";
import { checkManifest } from "./index.ts";

async function unpackedPack(): Promise<{ directory: string; manifest: PackManifest }> {
  const directory = temporaryFolder({
    "one/SKILL.md": "skill",
    "one/a.txt": "a",
    "one/manifest.json": "{}",
    "manifest.json": "the manifest itself",
  });
  const files = await fileDigests(join(directory, "one"));
  const skill = { name: "one", path: "one", description: "", digest: combineDigests(files), files };
  return { directory, manifest: { schemaVersion: 1, skills: [skill] } };
}

describe("K-04 content is held against the manifest", () => {
  test("K-04 and fits", async () => {
    const { directory, manifest } = await unpackedPack();
    expect(await checkManifest(directory, manifest)).toEqual({ ok: true });
  });

  test.each([
    ["a missing file", (at: string) => rmSync(join(at, "one/a.txt")), 'missing "one/a.txt"'],
    [
      "a changed file",
      (at: string) => writeFileSync(join(at, "one/a.txt"), "b"),
      'changed "one/a.txt"',
    ],
    [
      "another file",
      (at: string) => writeFileSync(join(at, "one/b.txt"), "b"),
      'not listed "one/b.txt"',
    ],
    [
      "another folder",
      (at: string) => (mkdirSync(join(at, "two")), writeFileSync(join(at, "two/x"), "")),
      'not listed "two/x"',
    ],
    [
      "a second manifest",
      (at: string) => writeFileSync(join(at, "Manifest.json"), ""),
      'not listed "Manifest.json"',
    ],
    [
      "a skill's own manifest.json",
      (at: string) => writeFileSync(join(at, "one/manifest.json"), "[]"),
      'changed "one/manifest.json"',
    ],
    [
      "another place",
      (at: string) => renameSync(join(at, "one"), join(at, "two")),
      'missing "one/SKILL.md", "one/a.txt", "one/manifest.json"; not listed "two/SKILL.md"',
    ],
    ["a link", (at: string) => symlinkSync("a.txt", join(at, "one/link")), "is a link"],
  ])("K-05 but not with %s", async (_, change, reason) => {
    const { directory, manifest } = await unpackedPack();
    change(directory);
    const checked = await checkManifest(directory, manifest);
    expect(checked).toMatchObject({ ok: false, code: "digest-mismatch" });
    expect(!checked.ok && checked.message).toContain(reason);
  });

  test("K-05 and many differences make a short message", async () => {
    const { directory, manifest } = await unpackedPack();
    for (let i = 0; i < 500; i++) writeFileSync(join(directory, `extra-${i}`), "");
    const checked = await checkManifest(directory, manifest);
    expect(!checked.ok && checked.message).toMatch(/and 495 more$/);
    expect(!checked.ok && checked.message.length).toBeLessThan(300);
  });
});
