import { parseSkill } from "@skillwright/core";
import { type Catalog, renderCatalog } from "@skillwright/core/internal";
import { expect, it } from "vitest";
import { generateCorpus } from "../../bench/corpus.ts";
import { skillRecord } from "../support/skill-record.ts";

const BUDGET = 4000;

/** Skills of real sizes with names of their own. */
function records(count: number) {
  return generateCorpus({ count: count * 2, seed: 7 })
    .flatMap(({ directoryName, text }, i) => {
      const { skill } = parseSkill(text, { directoryName });
      if (skill === undefined) return [];
      return [skillRecord(`${directoryName}-${i}`, { description: skill.description })];
    })
    .slice(0, count);
}

async function expectGolden(catalog: Catalog, budget: number, file: string): Promise<void> {
  expect(catalog.tokens).toBeLessThanOrEqual(budget);
  const { text, tokens, shown, shortened, nameOnly, omitted } = catalog;
  const summary = `${tokens} tokens: ${shown.length} in full, ${shortened.length} shortened, ${nameOnly.length} by name, ${omitted.length} omitted`;
  await expect(`${summary}\n\n${text}\n`).toMatchFileSnapshot(`golden/${file}.txt`);
}

it.each([5, 50, 500, 5000])(
  "D-01 a catalog of %i skills within 4,000 tokens reads as in the golden file",
  async (count) => {
    const options = { budgetTokens: BUDGET, searchTool: "search_skills" };
    const catalog = renderCatalog(records(count), options);
    expect(catalog.shown.length > 0).toBe(count <= 50);
    await expectGolden(catalog, BUDGET, `catalog-${count}`);
  },
);

it.each([
  [50, 2000],
  [150, 4000],
])("D-01 a catalog of %i skills shortened into %i tokens", async (count, budgetTokens) => {
  const catalog = renderCatalog(records(count), { budgetTokens, searchTool: "search_skills" });
  expect(catalog.shortened.length).toBeGreaterThan(0);
  await expectGolden(catalog, budgetTokens, `catalog-${count}-in-${budgetTokens}`);
});

it("D-01 a catalog in which the ranked skills are told more of", async () => {
  const all = records(500);
  const rank = [300, 100, 499].flatMap((i) => all[i]?.id ?? []);
  const catalog = renderCatalog(all, { budgetTokens: 2000, rank, searchTool: "search_skills" });
  const ranked = rank.map((id) => id.slice("project:".length));
  expect([...catalog.shown, ...catalog.shortened].toSorted()).toEqual(ranked.toSorted());
  await expectGolden(catalog, 2000, "catalog-500-ranked");
});

it.each(["xml", "markdown", "json"] as const)(
  "D-01 a catalog in %s with every way to say less",
  async (format) => {
    const options = { format, searchTool: "search_skills" };
    const all = records(40);
    const whole = renderCatalog(all, { ...options, budgetTokens: 1600 });
    await expectGolden(whole, 1600, `catalog-${format}-shortened`);
    const few = renderCatalog(all, { ...options, budgetTokens: 250 });
    expect(few.omitted.length).toBeGreaterThan(0);
    await expectGolden(few, 250, `catalog-${format}-omitted`);
  },
);
