import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { summarize } from "./index.ts";

describe("summarize", () => {
  it("A-09 gives a short result as it is", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 16_000 }), (text) => {
        expect(summarize(text, { isReading: false })).toEqual({ observation: text, isWhole: true });
      }),
    );
  });

  it("A-09 gives the beginning and the end of a long one, and says how much is missing", () => {
    const { observation, isWhole } = summarize(`begin${"x".repeat(50_000)}end`, {
      isReading: false,
    });
    expect(isWhole).toBe(false);
    expect(observation).toMatch(/^begin/);
    expect(observation).toMatch(/end$/);
    expect(observation).toContain("26008 characters left out");
    expect(observation.length).toBeLessThan(24_200);
  });
});
