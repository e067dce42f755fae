import { editJson, parseJsonc } from "@skillwright/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("editJson", async () => {
  it("C-02 replaces a value and nothing else", async () => {
    const text = '{ // mine\n  "a": { "b": 1 }, /* two */\n  "c": [1],\n}\n';
    expect(await editJson(text, ["a", "b"], false)).toBe(text.replace("1", "false"));
    expect(await editJson(text, ["c"], ["x", "y"])).toBe(text.replace("[1]", '["x", "y"]'));
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
  ])("C-02 puts a member into %j", async (text, expected) => {
    expect(await editJson(text, ["n"], true)).toBe(expected);
  });

  it("C-02 makes the sections that are missing, in the file's indentation", async () => {
    const text = '{\n    "a": 1 // one\n}\n';
    expect(await editJson(text, ["s", "t"], ["x"])).toBe(
      '{\n    "a": 1, // one\n    "s": {\n        "t": ["x"]\n    }\n}\n',
    );
  });

  it.each([
    ['{ "n": [ // why\n 1 ] }', "a comment in the value"],
    ['{\n  "a": 1 /* to\n  be */\n}', "a comment that goes on below"],
    ["[]", "no object"],
    ["{ broken", "no JSON"],
  ])("C-02 leaves %j to a person: %s", async (text) => {
    expect(await editJson(text, ["n"], 2)).toBeUndefined();
  });

  it("C-02 leaves a path through a value that is no object to a person", async () => {
    expect(await editJson('{ "a": 1 }', ["a", "b"], 2)).toBeUndefined();
  });

  it("C-02 what it writes is read back with every other value and comment kept", async () => {
    const gap = fc.constantFrom("", " ", "\n", "\n  ", " // x\n", " /* y */ ", "\n// z\n  ");
    const keys = fc.constantFrom(["a"], ["n"], ["s", "a"], ["s", "n"]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(gap, { minLength: 8, maxLength: 8 }),
        keys,
        fc.boolean(),
        async (g, keys, comma) => {
          const end = comma ? "," : "";
          const text = `{${g[0]}"a": 1${g[1]},${g[2]}"s": {${g[3]}"a": [2]${g[4]}${end}${g[5]}}${g[6]}${end}${g[7]}}`;
          const edited = await editJson(text, keys, "new");
          if (edited === undefined) return;
          const comments = (text: string) => text.match(/\/\/ \w|\/\* y \*\//g) ?? [];
          expect(comments(edited)).toEqual(comments(text));
          const before = { a: 1, s: { a: [2] } };
          const after =
            keys.length === 1
              ? { ...before, [keys[0]]: "new" }
              : { a: 1, s: { ...before.s, [keys[1]]: "new" } };
          expect(await parseJsonc(edited)).toEqual({ ok: true, value: after });
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['{ "a": 1, "n": 2 }', '{ "a": 1 }'],
    ['{\n  // x\n  "n": 1, // y\n  "a": 1\n}', '{\n  // x\n  // y\n  "a": 1\n}'],
    ['{ "n": 1, "n": 2 }', "{ }"],
    ['{ "a": 1 }', '{ "a": 1 }'],
  ])("C-02 removes a member from %j", async (text, expected) => {
    expect(await editJson(text, ["n"], undefined)).toBe(expected);
  });
});

describe("parseJsonc", () => {
  it("C-02 reads every JSON as JSON.parse does", async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (text) => {
        expect(await parseJsonc(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it("C-02 comments and trailing commas change nothing, wherever they stand", async () => {
    const noise = fc.constantFrom(" ", "\n", '// it\'s "x"\n', "/* , } ] */", "/**/");
    await fc.assert(
      fc.asyncProperty(fc.array(noise, { minLength: 6, maxLength: 6 }), async (n) => {
        const text = `${n[0]}{${n[1]}"a\\"//":${n[2]}[1,${n[3]}]${n[4]},${n[5]}}`;
        expect(await parseJsonc(text)).toEqual({ ok: true, value: { 'a"//': [1] } });
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
  ])("C-02 says where %j stops being JSON", async (text, line, column) => {
    expect(await parseJsonc(text)).toEqual({ ok: false, line, column });
  });

  it("C-02 keeps a member called __proto__ a member", async () => {
    const parsed = await parseJsonc('{ "__proto__": { "a": 1 }, }');
    expect(parsed.ok && Object.keys(parsed.value as object)).toEqual(["__proto__"]);
  });

  it("C-02 refuses deep nesting without exhausting the stack", async () => {
    expect(await parseJsonc(`// x\n${"[".repeat(100_000)}`)).toMatchObject({ ok: false, line: 2 });
  });

  it.each(["{} /* open", '{ "a": "\\x" } // x'])("C-02 refuses %j", async (text) => {
    expect(await parseJsonc(text)).toMatchObject({ ok: false });
  });
});
