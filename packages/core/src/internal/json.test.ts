import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./json.ts";

describe("canonicalJson", () => {
  it("K-04 has one text for a value, whatever the order of its names", () => {
    expect(canonicalJson({ b: [1, null], a: { d: undefined, c: "\ud800" } })).toBe(
      '{"a":{"c":"\\ud800"},"b":[1,null]}',
    );
    expect(canonicalJson({ b: 1, a: [] }, { indent: 2 })).toBe('{\n  "a": [],\n  "b": 1\n}');
  });

  it("K-04 reads back as the same value, and so do equal texts only", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(canonicalJson(JSON.parse(canonicalJson(one)))).toBe(canonicalJson(one));
        const isSame = canonicalJson(one) === canonicalJson(other);
        expect(isSame).toBe(canonicalJson([one]) === canonicalJson([other]));
      }),
    );
  });

  it.each([[Number.NaN], [1n], [() => 0], [new Date()], [new Map()]])(
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
