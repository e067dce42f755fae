import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { paginate } from "./index.ts";

const keys = fc.uniqueArray(fc.string({ maxLength: 8 }), { maxLength: 40 }).map((all) => {
  return all.toSorted((a, b) => (a < b ? -1 : 1));
});

/** All pages, the items of each from a list of its own. */
function walk(lists: (page: number) => readonly string[], pageSize: number): string[] {
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 1000; page++) {
    const options = cursor === undefined ? { pageSize } : { pageSize, cursor };
    const { items, nextCursor } = paginate(lists(page), (key) => key, options);
    expect(items.length).toBeLessThanOrEqual(pageSize);
    seen.push(...items);
    if (nextCursor === undefined) return seen;
    cursor = nextCursor;
  }
  throw new Error("it never ends");
}

describe("paginate", () => {
  it("H-02 the pages together are the list", () => {
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 10 }), (all, pageSize) => {
        expect(walk(() => all, pageSize)).toEqual(all);
      }),
    );
  });

  it("H-02 what stays is seen once, whatever comes and goes meanwhile", () => {
    fc.assert(
      fc.property(keys, keys, fc.integer({ min: 1, max: 5 }), (before, after, pageSize) => {
        const seen = walk((page) => (page === 0 ? before : after), pageSize);
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen).toEqual(expect.arrayContaining(before.filter((key) => after.includes(key))));
      }),
    );
  });

  it.each(["", "x", "YWZ0ZXI", "x".repeat(10_000)])("H-02 the cursor %j is refused", (cursor) => {
    expect(() => paginate(["a"], (key) => key, { cursor })).toThrow(/cursor/);
  });
});
