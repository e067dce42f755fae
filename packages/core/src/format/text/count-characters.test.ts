import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countCharacters } from "../testing.ts";

describe("countCharacters", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["é", 1],
    ["e\u0301", 2],
    ["😀", 1],
    ["👩‍💻", 3],
    ["\ud83d", 1],
    ["\ude00\ud83d", 2],
    ["\ud83d\ud83d\ude00", 2],
  ])("F-02 %j has %i", (text, count) => {
    expect(countCharacters(text)).toBe(count);
  });

  it("F-02 agrees with the iterator of strings", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (units) => {
        const text = String.fromCharCode(...units);
        expect(countCharacters(text)).toBe([...text].length);
      }),
    );
  });
});
