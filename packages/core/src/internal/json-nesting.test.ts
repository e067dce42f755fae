import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNestedDeeper } from "@skillwright/core/internal";

describe("isNestedDeeper", () => {
  it.each([
    ["[".repeat(257), true],
    ["[".repeat(256) + "]".repeat(256), false],
    ['{"a":'.repeat(257), true],
    ["[]".repeat(1000), false],
    [`["${"[".repeat(1000)}"]`, false],
    [String.raw`["\"${"[".repeat(1000)}"]`, false],
    [String.raw`["\\"${",[".repeat(1000)}`, true],
  ])("H-02 %# is %s", (text, expected) => {
    expect(isNestedDeeper(text, 256)).toBe(expected);
  });

  it("H-02 a text without an end takes no longer than another", () => {
    // With a look back at each quote this would take hours.
    expect(isNestedDeeper(`"${'\\"'.repeat(2_000_000)}`, 256)).toBe(false);
  });

  it("H-02 what is not deep is said to be so", () => {
    const isShallow = (text: string) => {
      expect(isNestedDeeper(text, 256)).toBe(false);
    };
    fc.assert(fc.property(fc.json({ maxDepth: 20 }), isShallow));
    expect(isNestedDeeper("", 256)).toBe(false);
  });
});
