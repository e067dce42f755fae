import { describe, expect, it } from "vitest";
import { fisherExactTest } from "./index.ts";

describe("E-02 Fisher's exact test", () => {
  it.each([
    // The lady tasting tea, and the criminal twins.
    [3, 4, 1, 4, 17 / 70],
    [15, 18, 2, 12, 619 / 1330665],
    [8, 10, 1, 6, 7 / 286],
    [10, 10, 0, 10, 1 / 184756],
    [5, 5, 0, 15, 1 / 15504],
    [0, 3, 0, 3, 1],
    [3, 3, 3, 3, 1],
    [0, 0, 1, 2, 1],
  ])("of %d of %d and %d of %d", (passed, n, otherPassed, otherN, expected) => {
    const p = fisherExactTest({ passed, n }, { passed: otherPassed, n: otherN });
    expect(Math.abs(p - expected)).toBeLessThan(1e-12);
  });

  it("bears a million trials", () => {
    const p = fisherExactTest({ passed: 400_000, n: 500_000 }, { passed: 399_000, n: 500_000 });
    expect(p).toBeCloseTo(0.0126725375618749, 9);
  });
});
