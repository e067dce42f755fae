import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJson, readJson } from "./index.ts";

const decisionIn = (text: string) =>
  findJson(text).objects.find(({ value }) => Object.hasOwn(value, "action"))?.value;

describe("readJson", () => {
  it.each([
    ["plain", '{"action":"x"}'],
    ["in a fence", 'Sure!\n```json\n{"action": "x"}\n```\nDone.'],
    ["in a fence without a language", '```\n{"action":"x"}\n```'],
    ["behind prose with braces", 'I fill {name} in: {"action":"x"}'],
    ["behind prose with a brace that never closes", 'a { b {"action":"x"}'],
    ["with a trailing comma", '{"action":"x",}'],
    ["with a comment", '{\n// what to do\n"action":"x"\n}'],
    ["behind an object of another kind", '{"thought":"hm"}\n{"action":"x"}'],
  ])("A-02 reads an object %s", (_, text) => {
    expect(decisionIn(text)).toEqual({ action: "x" });
  });

  it("A-02 reads line breaks and commas inside of strings as they are", () => {
    expect(readJson('{"answer": "one,]\n\ttwo, }",}')).toEqual({ answer: "one,]\n\ttwo, }" });
  });

  it.each([
    ["cut off", '{"action":"use_tool","input":{"action":"final_answer","answer":"no"}'],
    ["broken", '{"action":"use_tool" oops, "input":{"action":"final_answer","answer":"no"}}'],
    ["unquoted", '{action: "use_tool", input: {"action":"final_answer","answer":"no"}}'],
    ["single-quoted", `{'action':'use_tool','input':{"action":"final_answer","answer":"no"}}`],
  ])("A-02 never takes what is inside of an object that is %s", (_, text) => {
    expect(decisionIn(text)).toBeUndefined();
  });

  it("A-02 gives all objects with their places, and what cannot be read as it is", () => {
    const text = 'a {"b":1} {"c" 2} {"d":3} {"e":';
    const { objects, broken } = findJson(text);
    expect(objects.map(({ start, end }) => text.slice(start, end))).toEqual(['{"b":1}', '{"d":3}']);
    expect(broken).toEqual(['{"c" 2}', '{"e":']);
    expect(findJson(`${"{x}".repeat(30)}{"f":4}`).broken[0]).toContain('{"f":4}');
  });

  it("A-02 drops keys that would change a prototype, at any depth", () => {
    const value = readJson('{"action":"x","__proto__":{"a":1},"b":{"__proto__":{"polluted":1}}}');
    expect(JSON.stringify(value)).toBe('{"action":"x","b":{}}');
    expect(Object.getPrototypeOf(value?.["b"])).toBe(Object.prototype);
  });

  it("A-02 finds any object again between any prose, and never throws", () => {
    const prose = fc.string().map((text) => text.replaceAll(/[{"]/g, ""));
    const object = fc.dictionary(
      fc.string().filter((key) => key !== "__proto__"),
      fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes("__proto__")),
    );
    fc.assert(
      fc.property(prose, object, prose, (before, value, after) => {
        const text = JSON.stringify(value);
        expect(readJson(`${before}${text}${after}`)).toEqual(JSON.parse(text));
      }),
    );
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void readJson(text)));
  });

  it("A-02 does not read what is nested so deep that it could not be written again", () => {
    const nested = (depth: number) => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    expect(readJson(nested(60))).toBeDefined();
    expect(readJson(nested(40_000))).toBeUndefined();
    expect(findJson(nested(40_000)).broken).toHaveLength(1);
  });

  it("A-02 gives up on hostile texts without much work", () => {
    const deep = `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`;
    expect(readJson(deep)).toBeUndefined();
    expect(readJson("{".repeat(500_000))).toBeUndefined();
    expect(readJson(`{"a":"${"x".repeat(900_000)}`)).toBeUndefined();
  });
});
