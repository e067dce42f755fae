import { skillDigest } from "@skillwright/core";
import fc from "fast-check";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { readArchive } from "../archive/index.ts";
import { checkManifest, packSkills, readManifest } from "./index.ts";

const name = fc.stringMatching(/^[a-z][a-z0-9]{2,10}(?:-[a-z0-9]{3,5})?$/);
const segment = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9][\w -]{0,30}[A-Za-z0-9]$/),
  fc.stringMatching(/^[äßøжשあ字🙂]{1,8}$/u),
  fc.constantFrom("manifest.json", "x".repeat(150), ".hidden", "a~b", "a#b%20"),
);
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 20_000 }))
    .map(([bytes, times]) => Buffer.concat(Array.from({ length: times }, () => bytes))),
);
const file = fc.record({ path, content, mode: fc.constantFrom(0o644, 0o755, 0o600) });
const skills = fc.uniqueArray(fc.record({ name, files: fc.array(file, { maxLength: 6 }) }), {
  minLength: 1,
  maxLength: 4,
  selector: (skill) => skill.name,
});

test("K-01 any skills that can be packed come back as they were, byte for byte", async () => {
  const folder = temporaryFolder();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(skills, fc.constantFrom("zip", "tar.gz"), async (generated, format) => {
      rmSync(folder, { recursive: true });
      for (const skill of generated) write(join(folder, "skills", skill.name), skill);
      const output = join(folder, "pack");
      const result = await packSkills({
        root: join(folder, "skills"),
        output,
        format: format as "zip",
      });
      // Generated names may collide; then there is a reason and no pack.
      expect(result.ok || result.code === "skill-invalid").toBe(true);
      if (!result.ok) return;
      count += 1;
      const destination = join(folder, "unpacked");
      mkdirSync(destination);
      const read = await readArchive(output, { destination });
      expect(read).toMatchObject({ ok: true });
      for (const { name, digest } of result.skills) {
        expect(await skillDigest(join(destination, name))).toBe(digest);
        expect(await skillDigest(join(folder, "skills", name))).toBe(digest);
      }
      const manifest = readManifest(readFileSync(join(destination, "manifest.json"), "utf8"));
      expect(manifest).toEqual({ ok: true, manifest: result.manifest });
      expect(await checkManifest(destination, result.manifest)).toEqual({ ok: true });
    }),
    { numRuns: 40 },
  );
  expect(count).toBeGreaterThan(20);
});

function write(
  directory: string,
  skill: { name: string; files: readonly { path: string; content: Uint8Array; mode: number }[] },
) {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "SKILL.md"), skillText(skill.name));
  for (const { path, content, mode } of skill.files) {
    try {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), content);
      chmodSync(join(directory, path), mode);
    } catch {
      // A generated file in the way of a folder.
    }
  }
}
