import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLocator } from "../testing.ts";

describe("createLocator", () => {
  it("F-06 counts lines and columns from one", () => {
    const locate = createLocator("ab\ncd\n");
    expect([0, 1, 2, 3, 5, 6].map(locate)).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 2 },
      { line: 1, column: 3 },
      { line: 2, column: 1 },
      { line: 2, column: 3 },
      { line: 3, column: 1 },
    ]);
  });

  it("F-06 counts UTF-16 units, as editors do", () => {
    expect(createLocator("😀x")(2)).toEqual({ line: 1, column: 3 });
  });

  it("F-06 has a place in an empty text", () => {
    expect(createLocator("")(0)).toEqual({ line: 1, column: 1 });
  });

  it("F-06 gives the same answers in whatever order it is asked", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "😀"), maxLength: 60 });
    const cases = text.chain((text) =>
      fc.tuple(fc.constant(text), fc.array(fc.integer({ min: 0, max: text.length }))),
    );
    fc.assert(
      fc.property(cases, ([text, offsets]) => {
        const locate = createLocator(text);
        for (const offset of offsets) {
          const before = text.slice(0, offset).split("\n");
          const column = (before.at(-1)?.length ?? 0) + 1;
          expect(locate(offset)).toEqual({ line: before.length, column });
        }
      }),
    );
  });
});
