import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, frozenCopy } from "./canonical-json.ts";

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

describe("one text for a value", () => {
  it("P-02 equal values have equal texts, whatever the order of their names", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reordered(value))).toBe(canonicalJson(value));
        expect(sameJson(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)))).toBe(
          true,
        );
      }),
    );
  });

  it("P-02 different values have different texts", () => {
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
  ])("P-02 %j is not %j", (a, b) => {
    expect(canonicalJson(a)).not.toBe(canonicalJson(b));
  });

  it("P-02 a property that is called __proto__ counts", () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1}}');
    expect(canonicalJson(value)).toBe('{"__proto__":{"a":1}}');
    expect(canonicalJson(frozenCopy(value))).toBe('{"__proto__":{"a":1}}');
  });

  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  it.each([
    ["a number that is none", NaN],
    ["infinity", -Infinity],
    ["undefined", undefined],
    ["a hole", [undefined]],
    ["a big integer", 1n],
    ["a function", { toJSON: () => "harmless" }],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["a value that holds itself", loop],
  ])("P-02 refuses %s", (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  it("P-02 a copy is frozen all through, and a getter is asked once", () => {
    let count = 0;
    const shifty = {
      get path() {
        return `answer ${++count}`;
      },
    };
    const copy = frozenCopy({ list: [shifty] }) as { list: { path: string }[] };
    expect(copy.list[0]?.path).toBe("answer 1");
    expect(copy.list[0]?.path).toBe("answer 1");
    expect(() => (copy.list[0]!.path = "other")).toThrow(TypeError);
    expect(() => copy.list.push({ path: "more" })).toThrow(TypeError);
  });
});
