import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./index.ts";

/** The same value with the names of every object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, reordered(item)] as const);
  return Object.fromEntries(entries.reverse());
}

const sameJson = (a: unknown, b: unknown) =>
  JSON.stringify(sortedEntries(a)) === JSON.stringify(sortedEntries(b));

/** Objects as sorted lists of pairs: another way to compare than the one under test. */
function sortedEntries(value: unknown): unknown {
  if (Array.isArray(value)) return ["list", value.map(sortedEntries)];
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, sortedEntries(item)] as const);
  return ["object", entries.sort(([a], [b]) => (a < b ? -1 : 1))];
}

describe("canonicalJson", () => {
  it("K-04 has one text for a value, whatever the order of its names", () => {
    expect(canonicalJson({ b: [1, null], a: { d: undefined, c: "\ud800" } })).toBe(
      '{"a":{"c":"\\ud800"},"b":[1,null]}',
    );
    expect(canonicalJson({ b: 1, a: [] }, { indent: 2 })).toBe('{\n  "a": [],\n  "b": 1\n}');
  });

  it("K-04 equal values have equal texts, whatever the order of their names", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reordered(value))).toBe(canonicalJson(value));
        expect(sameJson(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)))).toBe(
          true,
        );
      }),
    );
  });

  it("K-04 different values have different texts", () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [plainA, plainB] = [a, b].map((one) => JSON.parse(JSON.stringify(one)) as unknown);
        expect(canonicalJson(a) === canonicalJson(b)).toBe(sameJson(plainA, plainB));
      }),
    );
  });

  it.each([
    [{ a: "1" }, { a: 1 }],
    [{ a: null }, {}],
    [["a,b"], ["a", "b"]],
    [{ 'a":1,"b': 2 }, { a: 1, b: 2 }],
    ["\ud800", "\ufffd"],
    ["é", "e\u0301"],
    [[], {}],
    [[[]], []],
  ])("K-04 %j is not %j", (a, b) => {
    expect(canonicalJson(a)).not.toBe(canonicalJson(b));
  });

  it("K-04 a property named __proto__ counts, and a getter is read once", () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
    let count = 0;
    const shifty = {
      get path() {
        return `answer ${++count}`;
      },
    };
    expect(canonicalJson([shifty])).toBe('[{"path":"answer 1"}]');
  });

  it.each([[Number.NaN], [-Infinity], [[undefined]], [1n], [() => 0], [new Date()], [new Map()]])(
    "K-04 throws for %s, which JSON cannot hold",
    (value) => {
      expect(() => canonicalJson({ value })).toThrow(TypeError);
    },
  );

  it("K-04 does not follow endless nesting", () => {
    let value: unknown = 1;
    for (let i = 0; i < 10_000; i++) value = [value];
    expect(() => canonicalJson(value)).toThrow("deeper than 100");
  });
});
