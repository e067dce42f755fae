import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearNames } from "../../internal/index.ts";

const NAMES = ["pdf-forms", "pdf-form", "date-format", "excel", "word"];

describe("nearNames", () => {
  it.each([
    ["a letter too many", "pdf-formss", ["pdf-forms", "pdf-form"]],
    ["a letter too few", "pf-forms", ["pdf-forms", "pdf-form"]],
    ["a wrong letter", "excal", ["excel"]],
    ["two letters swapped", "wrod", ["word"]],
    ["another case", "WORD", ["word"]],
    ["underscores and blanks for hyphens", "date_format", ["date-format"]],
    ["a fullwidth spelling", "ｗｏｒｄ", ["word"]],
    ["nothing near", "powerpoint", []],
    ["an empty name", "", []],
  ])("F-06 %s", (_, name, expected) => {
    expect(nearNames(name, NAMES)).toEqual(expected);
  });

  it("F-06 puts the nearest first and keeps the order of equals", () => {
    expect(nearNames("abcdefgh", ["abcdefxy", "abcdefgx", "xbcdefgh"])).toEqual([
      "abcdefgx",
      "xbcdefgh",
      "abcdefxy",
    ]);
  });

  it("F-06 gives as many as are asked for", () => {
    const names = ["word1", "word2", "word3", "word4"];
    expect(nearNames("word", names)).toHaveLength(3);
    expect(nearNames("word", names, 1)).toEqual(["word1"]);
  });

  it("F-06 finds a name itself, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (name) => {
        expect(nearNames(name, [name], 1)).toEqual([name]);
      }),
    );
  });

  it("F-06 does not choke on very long names", () => {
    expect(nearNames("x".repeat(1_000_000), ["y".repeat(1_000_000)])).toEqual([]);
  });
});
