import { rmSync } from "node:fs";
import { join } from "node:path";
import { skillDigest } from "@skillwright/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { done, PackWorld, treeOf } from "../../../../test/support/pack-world.ts";
import { writeTree } from "../../../../test/support/skill-tree.ts";
import { packSkills } from "../pack/index.ts";
import { verifyInstalled } from "../verify/index.ts";
import { installSkills, undoLast, uninstallSkills } from "./index.ts";

const name = fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,6}){0,2}$/);
const segment = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{1,10}$/),
  fc.constantFrom("é", "日本", "a b", "x+y", "UPPER", "10", "9", "constructor", "toString"),
);
const path = fc
  .tuple(fc.array(segment, { maxLength: 2 }), segment, fc.constantFrom("md", "py", "bin", "txt"))
  .map(([folders, file, ending]) => [...folders, `${file}.${ending}`].join("/"));
const content = fc.oneof(
  fc.constantFrom("", "\n", "text\n", "\uFEFFbom\r\n", "\0\0"),
  fc.string({ unit: "grapheme", maxLength: 200 }),
);
const skill = fc.record({
  name,
  description: fc.stringMatching(/^[A-Z][a-z ]{3,60}\.$/),
  files: fc.dictionary(path, content, { maxKeys: 6 }),
});
/** Names that differ on every file system. */
const skills = fc.uniqueArray(skill, {
  minLength: 1,
  maxLength: 5,
  selector: ({ name: own }) => own,
});

type Skill = typeof skill extends fc.Arbitrary<infer Value> ? Value : never;

function writeSkills(world: PackWorld, folder: string, all: readonly Skill[]): void {
  for (const { name: own, description, files } of all) {
    const text = `---\nname: "${own}"\ndescription: ${JSON.stringify(description)}\n---\n# Steps\n`;
    writeTree(world.path(folder, own), { ...withoutCollisions(files), "SKILL.md": text });
  }
}

/** No file in the place of a folder, and no two that only some file systems tell apart. */
function withoutCollisions(files: Readonly<Record<string, string>>): Record<string, string> {
  const taken = new Set<string>();
  const kept: Record<string, string> = {};
  for (const [own, text] of Object.entries(files)) {
    const folded = own.normalize("NFKC").toLowerCase();
    const parts = folded.split("/");
    const above = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
    if (above.some((prefix) => taken.has(prefix)) || folded === "skill.md") continue;
    // Folders of two spellings are left out as well, since the first decides for both.
    const spelt = own.split("/").slice(0, -1).join("/");
    if (spelt !== spelt.toLowerCase()) continue;
    above.forEach((prefix) => taken.add(prefix));
    kept[own] = text;
  }
  return kept;
}

async function digestsIn(folder: string, all: readonly Skill[]): Promise<string[]> {
  return Promise.all(all.map(({ name: own }) => skillDigest(join(folder, own))));
}

const RUNS = { numRuns: 25 };

it("K-01 any skills that are packed and installed equal themselves", async () => {
  await fc.assert(
    fc.asyncProperty(
      skills,
      fc.constantFrom("zip" as const, "tar.gz" as const),
      async (all, format) => {
        const world = new PackWorld();
        writeSkills(world, "pack", all);
        const output = world.path(`pack.${format}`);
        const root = world.path("pack");
        done(await packSkills({ root, output, format, allowSecrets: true }));
        const options = { ...world.session, all: true, failOn: "never" } as const;
        const report = done(await installSkills(output, options));
        const expected = await digestsIn(root, all);
        expect(await digestsIn(world.scope.root, all)).toEqual(expected);
        expect(report.skills.map(({ digest }) => digest).sort()).toEqual(expected.toSorted());
        const verified = done(await verifyInstalled(world.scope));
        expect(verified.skills.every(({ status }) => status === "ok")).toBe(true);
        rmSync(world.folder, { recursive: true });
      },
    ),
    RUNS,
  );
});

it("K-03 install, uninstall and undo change nothing", async () => {
  await fc.assert(
    fc.asyncProperty(skills, fc.nat(), async (all, seed) => {
      const world = new PackWorld();
      writeSkills(world, "pack", all);
      const options = { ...world.session, all: true, failOn: "never" } as const;
      done(await installSkills("./pack", options));
      const before = treeOf(world.base, { skip: ".skillwright", times: false });
      const names = all.map(({ name: own }) => own).slice(seed % all.length);
      done(await uninstallSkills({ ...world.session, names }));
      done(await undoLast(world.session));
      expect(treeOf(world.base, { skip: ".skillwright" })).toEqual(before);
      rmSync(world.folder, { recursive: true });
    }),
    RUNS,
  );
});

it("K-04 the lock does not depend on the order of installs", async () => {
  const orders = skills.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  await fc.assert(
    fc.asyncProperty(orders, async ([all, shuffled]) => {
      const texts: string[] = [];
      for (const order of [all, shuffled]) {
        const world = new PackWorld();
        writeSkills(world, "pack", all);
        for (const { name: own } of order) {
          const options = { ...world.session, skills: [own], failOn: "never" } as const;
          done(await installSkills("./pack", options));
        }
        texts.push(world.lockText + JSON.stringify(world.sharedLock));
        rmSync(world.folder, { recursive: true });
      }
      expect(texts[0]).toBe(texts[1]);
    }),
    { numRuns: 12 },
  );
});
