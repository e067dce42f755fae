import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../../test/support/suite.ts";
import { parseCommentedJson, plainJson } from "./parse-commented-json.ts";
import { scanJson } from "./scan-json.ts";

describe("parseCommentedJson", () => {
  it("C-02 reads every JSON as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseCommentedJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it("C-02 comments and trailing commas change nothing, wherever they stand", () => {
    const noise = fc.constantFrom(" ", "\n", '// it\'s "x"\n', "/* , } ] */", "/**/");
    fc.assert(
      fc.property(fc.array(noise, { minLength: 6, maxLength: 6 }), (n) => {
        const text = `${n[0]}{${n[1]}"a\\"//":${n[2]}[1,${n[3]}]${n[4]},${n[5]}}`;
        expect(parseCommentedJson(text)).toEqual({ ok: true, value: { 'a"//': [1] } });
        expect(plainJson(text)).toHaveLength(text.length);
      }),
    );
  });

  it.each([
    ['{ "a": }', 1, 8],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['// x\n{ "a": 01 }', 2, 9],
    ["{ 'a': 1 }", 1, 3],
    ['{ "a": "b\n" }', 1, 8],
    ["{} {}", 1, 4],
    ['{ "a": [1,,] }', 1, 11],
    ["{", 1, 2],
  ])("C-02 says where %j stops being JSON", (text, line, column) => {
    expect(parseCommentedJson(text)).toEqual({ ok: false, line, column });
  });
});

describe("scanJson", () => {
  it("C-02 takes what JSON.parse takes, and nothing else", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      "1",
      "-",
      ".5",
      "null",
      " ",
    );
    const broken = fc.array(pieces, { maxLength: 8 }).map((all) => all.join(""));
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken), (text) => {
        expect(scanJson(text).ok).toBe(isJson(text));
      }),
      { numRuns: numRuns(2000) },
    );
  });

  it("C-02 gives the places of members", () => {
    const text = ' { "a": [1, {}], "b\\n": "x" } ';
    const scan = scanJson(text);
    expect(scan).toMatchObject({ ok: true, node: { start: 1, end: 29 } });
    const members = scan.ok ? (scan.node.members ?? []) : [];
    expect(members.map(({ key, value }) => [key, text.slice(value.start, value.end)])).toEqual([
      ["a", "[1, {}]"],
      ["b\n", '"x"'],
    ]);
  });

  it("C-02 an abyss is refused without falling into it", () => {
    expect(scanJson("[".repeat(100_000)).ok).toBe(false);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
