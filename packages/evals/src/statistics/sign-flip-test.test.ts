import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mcnemarTest, signFlipTest } from "./index.ts";

describe("E-02 the sign-flip test", () => {
  it("is the McNemar test where differences are 1, 0 and -1", () => {
    for (const [better, worse] of [
      [6, 0],
      [5, 0],
      [8, 1],
      [10, 3],
    ] as const) {
      const differences = [...times(better, 1), ...times(worse, -1), ...times(9, 0)];
      const { p, method } = signFlipTest(differences, 1);
      expect(method).toBe("exact");
      expect(p).toBeCloseTo(mcnemarTest(better, worse).p, 12);
    }
  });

  it("gives the value for Darwin's maize that Fisher counted: 1726 of 32768 signs", () => {
    // Differences of crossed and self-fertilised plants in eighths of an inch (Fisher 1935, section 21).
    const differences = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];
    expect(signFlipTest(differences, 1)).toMatchObject({
      p: 1726 / 32768,
      method: "exact",
      flips: 32768,
    });
  });

  it("draws signs for many differences, always the same ones, and comes close to the exact value", () => {
    const differences = [...times(20, 0.5), ...times(8, -0.5)];
    const first = signFlipTest(differences, 42);
    expect(first.method).toBe("monte-carlo");
    expect(signFlipTest(differences, 42)).toEqual(first);
    expect(Math.abs(first.p - mcnemarTest(20, 8).p)).toBeLessThan(0.003);
    expect(signFlipTest(times(30, 1), 1).p).toBeGreaterThan(0);
  });

  it("does not depend on sign, scale or order", () => {
    const shares = fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 10 });
    fc.assert(
      fc.property(shares, (differences) => {
        const { p } = signFlipTest(differences, 1);
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(signFlipTest(differences.map((one) => -one / 3).toReversed(), 2).p).toBe(p);
      }),
    );
  });
});

function times(count: number, value: number): number[] {
  return Array.from({ length: count }, () => value);
}
