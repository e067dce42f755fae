import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WordFinder } from "../index.ts";

describe("WordFinder", () => {
  it("K-02 finds words that overlap, contain or follow each other", () => {
    expect(found(["he", "she", "his", "hers"], "ushers")).toEqual(["she 3", "he 3", "hers 5"]);
    expect(found(["curl"], "CURL cu'r'l c\\url сurl cu\u200brl")).toHaveLength(5);
  });

  it("K-02 finds what a search for each word finds", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.uniqueArray(letters, { minLength: 1, maxLength: 8 }),
        fc.string({ unit: fc.constantFrom("a", "b", "c", " "), maxLength: 40 }),
        (words, text) => {
          const expected = words.flatMap((word) =>
            [...text].flatMap((_, index) =>
              text.startsWith(word, index) ? [`${word} ${index + word.length - 1}`] : [],
            ),
          );
          expect(found(words, text).toSorted()).toEqual(expected.toSorted());
        },
      ),
      { numRuns: 40 },
    );
  });
});

function found(words: readonly string[], text: string): string[] {
  const hits: string[] = [];
  new WordFinder(words).find(text, (word, end) => hits.push(`${words[word]} ${end}`));
  return hits;
}
