import { describe, expect, it } from "vitest";
import { mcnemarTest } from "./index.ts";

describe("E-02 the exact McNemar test", () => {
  it.each([
    [6, 0, 2 / 64],
    [5, 0, 2 / 32],
    [8, 1, 20 / 512],
    [10, 3, 756 / 8192],
    [0, 0, 1],
    [4, 4, 1],
  ])("of %d better and %d worse", (better, worse, expected) => {
    expect(Math.abs(mcnemarTest(better, worse).p - expected)).toBeLessThan(1e-12);
    expect(mcnemarTest(worse, better)).toEqual(mcnemarTest(better, worse));
  });

  it("has a mid-p that counts what was seen by half", () => {
    expect(mcnemarTest(6, 0).midP).toBeCloseTo(1 / 64, 14);
    expect(mcnemarTest(10, 3)).toMatchObject({ n: 13 });
    expect(mcnemarTest(10, 3).midP).toBeCloseTo((756 - 286) / 8192, 14);
  });

  it("rejects at 5 % in no more than 5 % of all outcomes without a difference", () => {
    for (const n of [1, 5, 9, 30, 101]) {
      let rejected = 0;
      let weight = 0.5 ** n;
      for (let better = 0; better <= n; better++) {
        if (mcnemarTest(better, n - better).p <= 0.05) rejected += weight;
        weight *= (n - better) / (better + 1);
      }
      expect(rejected).toBeLessThanOrEqual(0.05);
    }
  });

  it("bears a million pairs", () => {
    // Twice the tail of 498,000 in 1,000,000.
    expect(mcnemarTest(502_000, 498_000).p / 6.36093375008249e-5).toBeCloseTo(1, 10);
  });
});
