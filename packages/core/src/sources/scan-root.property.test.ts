import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ageTree, skillText } from "../../../../test/support/skill-tree.ts";
import { numRuns } from "../../../../test/support/suite.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../host/index.ts";
import { scanRoot } from "./index.ts";

const folderName = fc.constantFrom("a", "b", "org", "B", "é", "x y", "constructor", "__proto__");
const path = fc.array(folderName, { minLength: 1, maxLength: 9 });
const fileName = fc.constantFrom("SKILL.md", "SKILL.md", "SKILL.md", "skill.md", "Skill.MD", "x");
const content = fc.constantFrom("good", "good", "broken", "other name", "angle", "empty");

function textOf(kind: string, folder: string): string {
  if (kind === "good") return skillText(JSON.stringify(basename(folder)));
  if (kind === "other name") return skillText("shared");
  if (kind === "angle") return skillText("angle", "Does <b>it</b>. Use when.");
  return kind === "broken" ? "no frontmatter" : "";
}

function writeSkill(root: string, folder: string, file: string, kind: string): void {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, file), textOf(kind, folder));
}

const isAncestor = (above: string, path: string) => path.startsWith(`${above}/`);
const isUsable = (kind: string | undefined) => !["broken", "empty", undefined].includes(kind);

/** What a folder holds that claims to be a skill: the kind of its SKILL.md, or of a similar file. */
interface Made {
  skillFile?: string;
  similar?: boolean;
}

/**
 * Every place that must be listed or named: all with a SKILL.md or the like, but for what stands
 * below a skill that can be used, which is one of its files.
 */
function expectedPlaces(made: ReadonlyMap<string, Made>): string[] {
  const usable = [...made].filter(([, { skillFile }]) => isUsable(skillFile)).map(([path]) => path);
  return [...made.keys()].filter((path) => !usable.some((other) => isAncestor(other, path)));
}

it("R-05 R-07 never loses a folder with a SKILL.md without a diagnostic that names it", async () => {
  const folder = temporaryFolder();
  let run = 0;
  const tree = fc.array(fc.record({ path, fileName, content }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(tree, { minLength: 1, maxLength: 3 }), async (trees) => {
      const base = join(folder, String(run++));
      const roots = trees.map((_, i) => join(base, String(i)));
      const expected: { place: string; depth: number }[] = [];
      for (const [i, entries] of trees.entries()) {
        const root = roots[i]!;
        mkdirSync(root, { recursive: true });
        const made = new Map<string, Made>();
        for (const { path, fileName, content } of entries) {
          const place = path.join("/");
          writeSkill(root, place, fileName, content);
          const before = made.get(place);
          if (fileName === "SKILL.md") made.set(place, { ...before, skillFile: content });
          else if (fileName !== "x") made.set(place, { ...before, similar: true });
        }
        for (const place of expectedPlaces(made)) {
          expected.push({ place: join(root, place), depth: place.split("/").length });
        }
      }
      const skills = await openSkills({ roots });
      const records = [...skills.all, ...skills.shadowed];
      const listed = new Set(records.flatMap((skill) => [skill.path, ...skill.alsoAt]));
      const named = new Set(skills.diagnostics().map(({ file }) => file));
      const limits = skills.diagnostics().filter(({ code }) => code === "scan-limit");
      const lost = expected.filter(
        ({ place, depth }) =>
          !listed.has(place) &&
          !named.has(join(place, "SKILL.md")) &&
          !(depth > 6 && limits.some(({ file }) => isAncestor(file, place))),
      );
      expect(lost).toEqual([]);
      rmSync(base, { recursive: true });
    }),
    { numRuns: numRuns(150) },
  );
});

const step = fc.record({
  act: fc.constantFrom("write", "write", "remove file", "remove folder", "move"),
  path: fc.array(folderName, { minLength: 1, maxLength: 3 }),
  to: fc.array(folderName, { minLength: 1, maxLength: 3 }),
  fileName,
  content,
});

function take(root: string, { act, path, to, fileName, content }: StepOf<typeof step>): void {
  const place = path.join("/");
  if (act === "write") writeSkill(root, place, fileName, content);
  else if (act === "remove file") rmSync(join(root, place, fileName), { force: true });
  else if (act === "remove folder") rmSync(join(root, place), { recursive: true, force: true });
  else {
    try {
      mkdirSync(dirname(join(root, ...to)), { recursive: true });
      renameSync(join(root, place), join(root, ...to));
    } catch {
      // Nothing to move, or onto something: then nothing happens.
    }
  }
}

type StepOf<T> = T extends fc.Arbitrary<infer U> ? U : never;

it("R-09 a scan with an index finds what a scan without one finds, whatever happened between", async () => {
  const folder = temporaryFolder();
  let run = 0;
  const rounds = fc.array(fc.array(step, { maxLength: 6 }), { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(rounds, async (rounds) => {
      const root = join(folder, String(run++));
      mkdirSync(root);
      let index;
      for (const [round, steps] of rounds.entries()) {
        for (const one of steps) take(root, one);
        // Every round at a time of its own, all of them long ago.
        ageTree(root, 1_700_000_000 + round);
        const now = BigInt(Date.now()) * 1_000_000n;
        const warm = await scanRoot(root, { source: "project", index, now });
        const cold = await scanRoot(root, { source: "project", now });
        expect(warm.index).toEqual(cold.index);
        expect(warm.diagnostics).toEqual(cold.diagnostics);
        index = warm.index;
      }
      rmSync(root, { recursive: true });
    }),
    { numRuns: numRuns(150) },
  );
});
