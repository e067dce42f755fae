import { describe, expect, it } from "vitest";
import { createRepairMap, readYaml, repairYaml } from "../testing.ts";

const repair = (text: string) => repairYaml(text, (entry) => readYaml(entry).ok);

describe("repairYaml", () => {
  it.each([
    ["description: Use when: x\n", 'description: "Use when: x"\n'],
    ["a: b:\n", 'a: "b:"\n'],
    ["a:\tb: c\n", 'a:\t"b: c"\n'],
    ["a:   b: c  \n", 'a:   "b: c"  \n'],
    ["a: b: c # d\n", 'a: "b: c" # d\n'],
    ["a: b: c #d: e\n", 'a: "b: c" #d: e\n'],
    ["a: [b] - c\n", 'a: "[b] - c"\n'],
    ["a: {b} c\n", 'a: "{b} c"\n'],
    ["a: @b\n", 'a: "@b"\n'],
    ['a: "b": c\nd: e: f\n', undefined],
    ['a: b "c": d\n', `a: 'b "c": d'\n`],
    [`a: it's "c": d\n`, `a: 'it''s "c": d'\n`],
    ["a: b\\c: d\n", "a: 'b\\c: d'\n"],
    ["a: b: c\n  d\n\n  e\n", 'a: "b: c\n  d\n\n  e"\n'],
    ["x.y-z_1: b: c\n", 'x.y-z_1: "b: c"\n'],
    ["a: 好: 😀\n", 'a: "好: 😀"\n'],
    ["a: b: c", 'a: "b: c"'],
    ["# c: d: e\na: b: c\nf: g # h: i\n", '# c: d: e\na: "b: c"\nf: g # h: i\n'],
    [
      "a: b: c\nd: [e, f]\ng:\n  - h: i\nj: k: l\n",
      'a: "b: c"\nd: [e, f]\ng:\n  - h: i\nj: "k: l"\n',
    ],
  ])("F-07 makes of %j %j", (broken, expected) => {
    const repaired = repair(broken);
    const readable = repaired !== undefined && readYaml(repaired.text).ok;
    expect(readable ? repaired.text : undefined).toBe(expected);
  });

  it.each([
    "a: 'b: c\n",
    'a: "b" c: d\n',
    "a: &b c: d\n",
    "a: *b c: d\n",
    "a: !b c: d\n",
    "a: > b: c\n",
    "a: | b: c\n",
    "a: - b: c\n",
    "a: # b: c\n",
    "a: [b, c\n",
    "a: [b]]\n",
    "  a: b: c\n",
    "- a: b: c\n",
    "a:\n  b: c: d\n",
    "a\n",
    "",
  ])("F-07 leaves %j alone", (text) => {
    expect(repair(text)).toBeUndefined();
  });

  it("F-07 leaves an entry alone that parses by itself", () => {
    expect(repair("a: b:c [d] {e}\nf: g: h\n")?.repairs.map(({ key }) => key)).toEqual(["f"]);
  });

  it("F-07 says what was wrong and how to write it", () => {
    const text = "a: b\nc: d 'e': f\n";
    expect(repair(text)?.repairs).toEqual([
      { key: "c", start: 8, end: 16, quoted: `c: "d 'e': f"`, comment: "" },
    ]);
  });

  it("F-07 only ever puts something in", () => {
    const text = `a: it's "b": c\nd: e: f\n`;
    const { text: repaired = "", insertions = [] } = repair(text) ?? {};
    const added = insertions.reduce((sum, { text: { length } }) => sum + length, 0);
    expect(repaired).toHaveLength(text.length + added);
    expect(insertions.map(({ at }) => at)).toEqual([3, 5, 14, 18, 22]);
  });

  it("F-07 gives up after sixteen slips", () => {
    const slips = (count: number) =>
      Array.from({ length: count }, (_, i) => `k${i}: a: b\n`).join("");
    expect(repair(slips(16))?.repairs).toHaveLength(16);
    expect(repair(slips(17))).toBeUndefined();
  });
});

describe("createRepairMap", () => {
  it("F-07 leads from each place of the repaired text to where it was", () => {
    const text = `a: it's "b": c\nd: e: f\ng: h\n`;
    const { text: repaired = "", insertions = [] } = repair(text) ?? {};
    const place = createRepairMap(insertions);
    for (const [i, character] of [...text].entries()) {
      const moved = i + addedBefore(insertions, i);
      expect(repaired[moved]).toBe(character);
      expect(place(moved)).toBe(i);
    }
    expect(place(repaired.length)).toBe(text.length);
  });

  it("F-07 leads from within something put in to where it was put", () => {
    const place = createRepairMap([
      { at: 3, text: "abc" },
      { at: 4, text: "d" },
    ]);
    expect([2, 3, 4, 5, 6, 7, 8, 9].map(place)).toEqual([2, 3, 3, 3, 3, 4, 4, 5]);
  });

  it("F-07 changes nothing where nothing was put in", () => {
    expect(createRepairMap([])(7)).toBe(7);
  });
});

function addedBefore(insertions: readonly { at: number; text: string }[], offset: number): number {
  return insertions.reduce((sum, { at, text }) => (at <= offset ? sum + text.length : sum), 0);
}
