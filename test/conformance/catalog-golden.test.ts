import { parseSkill, renderCatalog } from "@skillwright/core";
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

it.each([5, 50, 500, 5000])(
  "D-01 a catalog of %i skills within 4,000 tokens reads as in the golden file",
  async (count) => {
    const catalog = renderCatalog(records(count), {
      budgetTokens: BUDGET,
      searchTool: "search_skills",
    });
    expect(catalog.tokens).toBeLessThanOrEqual(BUDGET);
    const { text, tokens, shown, shortened, nameOnly, omitted } = catalog;
    const summary = `${tokens} tokens: ${shown.length} in full, ${shortened.length} shortened, ${nameOnly.length} by name, ${omitted.length} omitted`;
    await expect(`${summary}\n\n${text}\n`).toMatchFileSnapshot(`golden/catalog-${count}.txt`);
  },
);
