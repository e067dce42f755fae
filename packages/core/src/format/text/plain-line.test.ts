import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../../test/support/suite.ts";
import { CONTROL, SMUGGLING } from "./invisible-characters.ts";
import { indexOfHidden, plainLine } from "./plain-line.ts";

describe("plainLine", () => {
  it.each([
    ["plain text", "plain text"],
    [" a\n\n\tb\u0007c\u009b ", "a b c"],
    ["a\u2028b\u2029c\u00a0d\u3000e", "a b c d e"],
    ["a\u202Eb\u{E0041}c\u2066", "abc"],
    ["half \ud83d and \ude00 whole 😀", "half and whole 😀"],
    ["用于合并文件。", "用于合并文件。"],
    ["می‌خواهم", "می‌خواهم"],
  ])("F-08 %j is %j", (text, expected) => {
    expect(plainLine(text)).toBe(expected);
  });

  it("F-08 nothing that it gives hides, breaks or acts", () => {
    const unit = fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
      fc.constantFrom("\n", "\u202e", "\u{E0041}", "\u{1F600}", "a", " "),
    );
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const line = plainLine(units.join(""));
        expect(line).not.toMatch(CONTROL);
        expect(line).not.toMatch(SMUGGLING);
        expect(line).not.toMatch(/[^\S ]| {2}|\p{Cs}/u);
        expect(plainLine(line)).toBe(line);
      }),
      { numRuns: numRuns(1000) },
    );
  });
});

describe("indexOfHidden", () => {
  it.each([
    ["pdf-processing", -1],
    ["PDF Tools", -1],
    ["处理", -1],
    ["a\nb", 1],
    ["a\tb", 1],
    ["ab\u200b", -1],
    ["a\u202eb", 1],
    ["\u2028", 0],
    ["a\ud83d", 1],
  ])("F-08 of %j is %i", (name, index) => {
    expect(indexOfHidden(name)).toBe(index);
  });
});
