import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { breakText } from "./break-text.ts";
import { cutText, splitAt } from "./cut-text.ts";
import { displayWidth } from "./display-width.ts";
import { visibleText } from "./visible-text.ts";

const texts = fc
  .array(fc.constantFrom("word", " ", "数", "据", "é", "👍", "a-very-long-word", "。"), {
    maxLength: 40,
  })
  .map((parts) => parts.join(""));

describe("cutText", () => {
  it.each([
    ["short", 10, "short"],
    ["exactly-10", 10, "exactly-10"],
    ["one too long", 11, "one too lo…"],
    ["数据数据", 8, "数据数据"],
    ["数据数据", 7, "数据数…"],
    ["数据数据", 6, "数据…"],
    ["anything", 0, ""],
  ])("C-01 %j in %i columns", (text, width, expected) => {
    expect(cutText(text, width)).toBe(expected);
  });

  it("C-01 never gives more than there is room for, and all of what fits", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.integer({ min: 1, max: 60 }),
        (any, width) => {
          const text = visibleText(any);
          const cut = cutText(text, width);
          expect(displayWidth(cut)).toBeLessThanOrEqual(width);
          expect(cut === text || displayWidth(text) > width).toBe(true);
        },
      ),
    );
  });

  it("C-01 splitting loses nothing", () => {
    fc.assert(
      fc.property(texts, fc.nat(30), (text, width) => {
        const [start, rest] = splitAt(text, width);
        expect(start + rest).toBe(text);
        expect(displayWidth(start)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

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
