import fc from "fast-check";
import { expect, it } from "vitest";
import { stemEnglish } from "./index.ts";

it.each([
  [["merge", "merges", "merged", "merging"]],
  [["estimate", "estimates", "estimating", "estimation", "estimator"]],
  [["query", "queries"]],
  [["accessible", "accessibility"]],
  [["plan", "planned", "planning", "plans"]],
  [["container", "containers"]],
])("D-08 gives the forms %j one stem", (words) => {
  expect(new Set(words.map(stemEnglish)).size).toBe(1);
});

it.each([
  ["caresses", "caress"],
  ["ponies", "poni"],
  ["agreed", "agre"],
  ["sky", "sky"],
  ["happy", "happi"],
  ["relational", "relat"],
  ["hopefulness", "hope"],
  ["adjustment", "adjust"],
  ["controll", "control"],
])("D-08 stems %s to %s, as Porter does", (word, stem) => {
  expect(stemEnglish(word)).toBe(stem);
});

it("D-08 leaves short words, other scripts, numbers and identifiers alone", () => {
  for (const word of ["is", "кошки", "k8s", "", "a".repeat(33)])
    expect(stemEnglish(word)).toBe(word);
});

it("D-08 never makes a word longer, nor leaves nothing of it", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,40}$/), (word) => {
      const stem = stemEnglish(word);
      expect(stem.length).toBeGreaterThan(0);
      expect(stem.length).toBeLessThanOrEqual(word.length);
    }),
  );
});
