import fc from "fast-check";
import { expect, it } from "vitest";
import { countOf, encodeJson, parseJson, property } from "../index.ts";

it("M-03 a lone surrogate becomes a character that every service accepts", () => {
  expect(encodeJson({ text: "a\uD83D", escaped: String.raw`\ud83d` })).toBe(
    String.raw`{"text":"a` + "\uFFFD" + String.raw`","escaped":"\\ud83d"}`,
  );
});

it("M-03 encoded JSON means the same as the value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const sent: unknown = JSON.parse(encodeJson(value));
      const whole: unknown = JSON.parse(Buffer.from(JSON.stringify(value)).toString());
      expect(sent).toEqual(whole);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(JSON.parse(encodeJson(text))).toBe(Buffer.from(text).toString());
    }),
  );
});

it("M-03 only own properties are seen", () => {
  expect(property({}, "constructor")).toBeUndefined();
  expect(property(JSON.parse('{"__proto__":1}'), "__proto__")).toBe(1);
  expect(property([1], "0")).toBeUndefined();
});

it.each([
  [7.9, 7],
  [-1, 0],
  [Number.NaN, 0],
  ["7", 0],
  [null, 0],
])("M-04 %s counts as %i tokens", (value, expected) => {
  expect(countOf(value)).toBe(expected);
});

it("M-03 refuses JSON that is nested too deeply, whatever its texts contain", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  expect(parseJson(nested(64))).toBeInstanceOf(Array);
  expect(parseJson(nested(65))).toBeUndefined();
  expect(parseJson(nested(1_000_000))).toBeUndefined();
  const text = `${"[".repeat(100)}\\"${"{".repeat(100)}`;
  expect(parseJson(JSON.stringify([text, text]))).toEqual([text, text]);
  expect(parseJson(JSON.stringify("\\n".repeat(5_000_000)))).toHaveLength(10_000_000);
  expect(parseJson('"'.repeat(1_000_001))).toBeUndefined();
  expect(parseJson(`[${"[],".repeat(1000)}1]`)).toHaveLength(1001);
});
