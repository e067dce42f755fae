import { displayWidth, splitAtWidth, truncateWidth, visibleLine } from "@skillwright/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("displayWidth", () => {
  it.each([
    ["", 0],
    ["name: pdf", 9],
    ["日本語", 6],
    ["ｆｕｌｌ", 8],
    ["한글", 4],
    ["e\u0301", 1],
    ["👍🏽", 2],
    ["👩‍💻", 2],
    ["❤️", 2],
    ["🇩🇪", 2],
    ["©", 1],
  ])("F-06 %j takes %i columns", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe("truncateWidth", () => {
  it.each([
    ["short", 10, "short"],
    ["exactly-10", 10, "exactly-10"],
    ["one too long", 11, "one too lo…"],
    ["数据数据", 8, "数据数据"],
    ["数据数据", 7, "数据数…"],
    ["数据数据", 6, "数据…"],
    ["anything", 0, ""],
  ])("C-01 %j in %i columns", (text, width, expected) => {
    expect(truncateWidth(text, width)).toBe(expected);
  });

  it("C-01 keeps text that fits and never exceeds the width", () => {
    const graphemes = fc.string({ unit: "grapheme" });
    fc.assert(
      fc.property(graphemes, fc.integer({ min: 1, max: 60 }), (any, width) => {
        const text = visibleLine(any);
        const cut = truncateWidth(text, width);
        expect(displayWidth(cut)).toBeLessThanOrEqual(width);
        expect(cut === text || displayWidth(text) > width).toBe(true);
      }),
    );
  });

  it("C-01 splitting loses nothing", () => {
    const part = fc.constantFrom("word", " ", "数", "据", "é", "👍", "a-very-long-word", "。");
    const texts = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(texts, fc.nat(30), (text, width) => {
        const [start, rest] = splitAtWidth(text, width);
        expect(start + rest).toBe(text);
        expect(displayWidth(start)).toBeLessThanOrEqual(width);
      }),
    );
  });
});
