import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { displayWidth } from "@skillwright/core/internal";
import { fitLine } from "./index.ts";

describe("fitLine", () => {
  it("F-06 leaves a line that fits alone", () => {
    expect(fitLine("name: pdf", 6, 9, 20)).toEqual({ text: "name: pdf", before: 6, marked: 3 });
  });

  it("F-06 counts columns, not characters", () => {
    expect(fitLine("名前: 日本", 4, 6, 40)).toEqual({ text: "名前: 日本", before: 6, marked: 4 });
    expect(fitLine("\ta: 👍🏽", 4, 8, 40)).toEqual({ text: "    a: 👍🏽", before: 7, marked: 2 });
    expect(fitLine("a\u202eb", 1, 2, 40)).toEqual({ text: "a\\u{202e}b", before: 1, marked: 8 });
  });

  it("F-06 marks one column of an empty range, also after the end", () => {
    expect(fitLine("日本", 1, 1, 40)).toEqual({ text: "日本", before: 2, marked: 1 });
    expect(fitLine("abc", 3, 3, 40)).toEqual({ text: "abc", before: 3, marked: 1 });
    expect(fitLine("abc", 90, 99, 40)).toEqual({ text: "abc", before: 3, marked: 1 });
    expect(fitLine("", 0, 0, 40)).toEqual({ text: "", before: 0, marked: 1 });
  });

  it("F-06 cuts a long line around the range", () => {
    const line = "a".repeat(50) + "XYZ" + "b".repeat(50);
    expect(fitLine(line, 50, 53, 21)).toEqual({
      text: `…${"a".repeat(8)}XYZ${"b".repeat(8)}…`,
      before: 9,
      marked: 3,
    });
    expect(fitLine(line, 0, 3, 21).text).toBe(`${"a".repeat(19)}…`);
    expect(fitLine(line, 103, 103, 21)).toEqual({
      text: `…${"b".repeat(18)}`,
      before: 19,
      marked: 1,
    });
  });

  it("F-06 shows a range in a line of a megabyte without reading all of it", () => {
    const half = "👍🏽".repeat(125_000);
    const segment = vi.spyOn(Intl.Segmenter.prototype, "segment");
    onTestFinished(() => segment.mockRestore());
    const fitted = fitLine(`${half}needle${half}`, 500_000, 500_006, 60);
    expect(segment.mock.calls.join("").length).toBeLessThan(2000);
    expect(fitted.text).toContain("needle");
    expect(displayWidth(fitted.text)).toBeLessThanOrEqual(60);
  });

  it("F-06 keeps text and mark within the width", () => {
    const parts = fc.constantFrom("a", " ", "\t", "日", "👩‍💻", "é", "\u202e", "\u001b", "\ud83d");
    const lines = fc.array(parts, { maxLength: 200 }).map((list) => list.join(""));
    fc.assert(
      fc.property(lines, fc.nat(300), fc.nat(300), fc.integer({ min: 20, max: 90 }), (...args) => {
        const [line, from, length, width] = args;
        const { text, before, marked } = fitLine(line, from, from + length, width);
        expect(displayWidth(text)).toBeLessThanOrEqual(width);
        expect(before + marked).toBeLessThanOrEqual(width);
        expect(marked).toBeGreaterThan(0);
      }),
    );
  });
});
