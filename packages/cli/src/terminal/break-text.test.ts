import { displayWidth } from "@skillwright/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { breakText } from "./index.ts";

const texts = fc
  .array(fc.constantFrom("word", " ", "数", "据", "é", "👍", "a-very-long-word", "。"), {
    maxLength: 40,
  })
  .map((parts) => parts.join(""));

describe("breakText", () => {
  it("C-01 breaks between words, and Chinese text anywhere", () => {
    expect(breakText("the quick brown fox", 10)).toEqual(["the quick", "brown fox"]);
    expect(breakText("这个技能正好适合", 8)).toEqual(["这个技能", "正好适合"]);
    expect(breakText("see https://example.com/a/long/path now", 16)).toEqual([
      "see https://exam",
      "ple.com/a/long/p",
      "ath now",
    ]);
    expect(breakText("", 10)).toEqual([]);
  });

  it("C-01 says with an ellipsis that something is left out", () => {
    expect(breakText("one two three four five", 9, 2)).toEqual(["one two", "three fo…"]);
  });

  it("C-01 keeps every character but blanks, within the width", () => {
    const bare = (text: string) => text.replaceAll(" ", "");
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 40 }), (text, width) => {
        const lines = breakText(text, width);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        expect(bare(lines.join(""))).toBe(bare(text));
      }),
    );
  });

  it("C-01 never gives more lines than wanted", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 5 }), (text, most) => {
        expect(breakText(text, 12, most).length).toBeLessThanOrEqual(most);
      }),
    );
  });
});
