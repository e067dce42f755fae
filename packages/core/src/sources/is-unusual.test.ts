import { describe, expect, it } from "vitest";
import { MAY_HIDE, zeroWidth } from "../internal/testing.ts";
import { isUnusual, UNUSUAL } from "./index.ts";

describe("isUnusual", () => {
  it("R-01 is what the three rules say, for every character and whatever follows it", () => {
    const wrong = [];
    for (let code = 0; code <= 0x10_ffff; code += code < 0xffff ? 1 : 13) {
      const character = String.fromCodePoint(code);
      for (const text of [`a${character}b`, `\\${character}`, `😀${character}😀`]) {
        const is = UNUSUAL.test(text) || MAY_HIDE.test(text) || zeroWidth().test(text);
        if (isUnusual(text) !== is) wrong.push(code.toString(16));
      }
    }
    expect(wrong).toEqual([]);
  });
});
