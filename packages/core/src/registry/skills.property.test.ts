import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { numRuns } from "../../../../test/support/suite.ts";
import { openSkills } from "../host/index.ts";
import type { FoundSkill, SkillSource } from "../index.ts";
import { foldName } from "./index.ts";

function found(
  name: string,
  root: string,
  relativePath: string,
  description = "Does.",
): FoundSkill {
  const flags = { disableModelInvocation: false, userInvocable: true, hiddenFromModel: false };
  const metadata = { name, description, runMode: "inline", ...flags } as const;
  return { source: root, root, relativePath, diagnostics: [], metadata };
}

function source(skills: readonly FoundSkill[], delay = 0): SkillSource {
  return {
    roots: [],
    async scan() {
      if (delay > 0) await setTimeout(delay);
      return { skills, diagnostics: [] };
    },
  };
}

const name = fc.oneof(
  fc.constantFrom("pdf", "PDF", "Pdf", "café", "cafe\u0301", "ﬁle", "file", "日本", "constructor"),
  fc.stringMatching(/^[a-z0-9]{1,6}(-[a-z0-9]{1,4})?$/),
);

it("N-02 R-07 Feature: remove-skill-catalog-config, Property 2: all is the list as loaded, without de-duplication", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(name, { maxLength: 20 }), async (names) => {
      const list = names.map((name, i) => found(name, "flat", `f${i}`));
      const skills = await openSkills({ roots: [source(list)] });
      expect(skills.all.map(({ name }) => name)).toEqual(names);
      expect(skills.all.map(({ relativePath }) => relativePath)).toEqual(
        list.map(({ relativePath }) => relativePath),
      );
      expect(new Set(skills.all.map(({ id }) => id)).size).toBe(names.length);
      expect(skills.shadowed).toEqual([]);
    }),
    { numRuns: numRuns(200) },
  );
});

it("N-02 R-06 Feature: remove-skill-catalog-config, Property 3: lookup by name ignores case", async () => {
  const cases = fc.record({
    names: fc.array(name, { minLength: 1, maxLength: 10 }),
    pick: fc.nat(),
    flips: fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ names, pick, flips }) => {
      const list = names.map((name, i) => found(name, "flat", `f${i}`));
      const skills = await openSkills({ roots: [source(list)] });
      const wanted = names[pick % names.length]!;
      const mixed = [...wanted]
        .map((char, i) => (flips[i % 16] === true ? char.toUpperCase() : char.toLowerCase()))
        .join("");
      for (const variant of [wanted, wanted.toUpperCase(), wanted.toLowerCase(), mixed]) {
        const skill = skills.get(variant);
        expect(skill && foldName(skill.name), variant).toBe(foldName(wanted));
        expect(skills.find(variant).ok).toBe(true);
      }
    }),
    { numRuns: numRuns(200) },
  );
});

const ROOTS = ["project", "user", "builtin", "team"];
const placed = fc.array(fc.record({ name, root: fc.nat({ max: ROOTS.length - 1 }) }), {
  maxLength: 16,
});

it("R-02 R-04 precedence is a total order that does not depend on which scan ends first", async () => {
  const delays = fc.array(fc.nat({ max: 4 }), { minLength: ROOTS.length, maxLength: ROOTS.length });
  await fc.assert(
    fc.asyncProperty(placed, delays, async (entries, delays) => {
      const list = entries.map((entry, i) => {
        const root = ROOTS[entry.root]!;
        return found(entry.name, root, `f${i}`, `Does ${i}.`);
      });
      const open = (delays: readonly number[]) =>
        openSkills({
          roots: ROOTS.map((root, i) =>
            source(
              list.filter((skill) => skill.root === root),
              delays[i],
            ),
          ),
        });
      const skills = await open(delays);
      const ranks = new Map<string, number>();
      for (const { name, root } of entries) {
        const key = foldName(name);
        ranks.set(key, Math.min(root, ranks.get(key) ?? root));
      }
      // Every skill is either first of its name or shadowed by one that is; never both, never none.
      const wins = (index: number) => ranks.get(foldName(entries[index]!.name));
      const winners = list.filter((_, i) => wins(i) === entries[i]!.root);
      expect(skills.all.map(({ relativePath }) => relativePath).toSorted()).toEqual(
        winners.map(({ relativePath }) => relativePath).toSorted(),
      );
      expect(skills.all.length + skills.shadowed.length).toBe(list.length);
      const ids = new Map(skills.all.map((skill) => [skill.id, skill]));
      for (const { name, shadowedBy = "" } of skills.shadowed) {
        expect(foldName(ids.get(shadowedBy)?.name ?? "")).toBe(foldName(name));
      }
      const again = await open(delays.toReversed());
      expect(again.all).toEqual(skills.all);
      expect(again.shadowed).toEqual(skills.shadowed);
    }),
    { numRuns: numRuns(120) },
  );
});
