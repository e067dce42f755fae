import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../../test/support/suite.ts";
import { editJson } from "./edit-json.ts";
import { parseCommentedJson } from "./parse-commented-json.ts";

describe("editJson", () => {
  it("C-02 replaces a value and nothing else", () => {
    const text = '{ // mine\n  "a": { "b": 1 }, /* two */\n  "c": [1],\n}\n';
    expect(editJson(text, ["a", "b"], false)).toBe(text.replace("1", "false"));
    expect(editJson(text, ["c"], ["x", "y"])).toBe(text.replace("[1]", '["x", "y"]'));
  });

  it.each([
    ['{\n  "a": 1\n}', '{\n  "a": 1,\n  "n": true\n}'],
    ['{\n  "a": 1, // one\n}', '{\n  "a": 1, // one\n  "n": true,\n}'],
    ['{\n\t"a": 1 // one\n\t// end\n}', '{\n\t"a": 1, // one\n\t"n": true\n\t// end\n}'],
    ['{\r\n  "a": 1\r\n}\r\n', '{\r\n  "a": 1,\r\n  "n": true\r\n}\r\n'],
    ['{ "a": 1 }', '{ "a": 1, "n": true }'],
    ['{ "a": 1, }', '{ "a": 1, "n": true, }'],
    ['{\n  "a": 1 }', '{\n  "a": 1, \n  "n": true}'],
    ["{}", '{\n  "n": true\n}'],
    ["", '{\n  "n": true\n}\n'],
    ["{\n  // nothing yet\n}", '{\n  "n": true\n  // nothing yet\n}'],
    ['{ "n": 1, "n": 2 }', '{ "n": 1, "n": true }'],
  ])("C-02 puts a member into %j", (text, expected) => {
    expect(editJson(text, ["n"], true)).toBe(expected);
  });

  it("C-02 makes the sections that are missing, in the file's indentation", () => {
    const text = '{\n    "a": 1 // one\n}\n';
    expect(editJson(text, ["s", "t"], ["x"])).toBe(
      '{\n    "a": 1, // one\n    "s": {\n        "t": ["x"]\n    }\n}\n',
    );
  });

  it.each([
    ['{ "n": [ // why\n 1 ] }', "a comment in the value"],
    ['{\n  "a": 1 /* to\n  be */\n}', "a comment that goes on below"],
    ["[]", "no object"],
    ["{ broken", "no JSON"],
  ])("C-02 leaves %j to a person: %s", (text) => {
    expect(editJson(text, ["n"], 2)).toBeUndefined();
  });

  it("C-02 leaves a path through a value that is no object to a person", () => {
    expect(editJson('{ "a": 1 }', ["a", "b"], 2)).toBeUndefined();
  });

  it("C-02 what it writes is read back with every other value and comment kept", () => {
    const gap = fc.constantFrom("", " ", "\n", "\n  ", " // x\n", " /* y */ ", "\n// z\n  ");
    const keys = fc.constantFrom(["a"], ["n"], ["s", "a"], ["s", "n"]);
    fc.assert(
      fc.property(
        fc.array(gap, { minLength: 8, maxLength: 8 }),
        keys,
        fc.boolean(),
        (g, keys, comma) => {
          const end = comma ? "," : "";
          const text = `{${g[0]}"a": 1${g[1]},${g[2]}"s": {${g[3]}"a": [2]${g[4]}${end}${g[5]}}${g[6]}${end}${g[7]}}`;
          const edited = editJson(text, keys, "new");
          if (edited === undefined) return;
          const comments = (text: string) => text.match(/\/\/ \w|\/\* y \*\//g) ?? [];
          expect(comments(edited)).toEqual(comments(text));
          const before = { a: 1, s: { a: [2] } };
          const after =
            keys.length === 1
              ? { ...before, [keys[0]]: "new" }
              : { a: 1, s: { ...before.s, [keys[1]]: "new" } };
          expect(parseCommentedJson(edited)).toEqual({ ok: true, value: after });
        },
      ),
      { numRuns: numRuns(1000) },
    );
  });
});
