import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binomialProbability, binomialTail, normalQuantile, normalUpperTail } from "./index.ts";

describe("E-02 the binomial distribution", () => {
  it.each([
    [3, 10, 0.3, 0.266827932],
    [37, 61, 0.5, 0.0257770020185848],
    [500_000, 1_000_000, 0.5, 0.00079788436133175],
    [500_500, 1_000_000, 0.5, 0.000483941529695145],
    [1000, 1_000_000, 0.001, 0.0126209233877678],
    [1, 1_000_000, 1e-6, 0.36787962511127],
    [900_000, 1_000_000, 0.9, 0.00132980648085255],
  ])("%d of %d at %d, computed with 40 digits elsewhere", (count, n, probability, expected) => {
    expect(binomialProbability(count, n, probability) / expected).toBeCloseTo(1, 11);
  });

  it.each([
    [2, 10, 0.5, 56 / 1024],
    [45, 100, 0.5, 0.184100808663348],
    [498_000, 1_000_000, 0.5, 3.18046687504124e-5],
    [900_500, 1_000_000, 0.9, 0.952454006676908],
  ])("at most %d of %d at %d", (count, n, probability, expected) => {
    expect(binomialTail(count, n, probability) / expected).toBeCloseTo(1, 10);
  });

  it("sums to one, and its tail is the sum of its parts", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 200 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (n, probability) => {
          let sum = 0;
          for (let count = 0; count <= n; count++) {
            sum += binomialProbability(count, n, probability);
            expect(Math.abs(binomialTail(count, n, probability) - sum)).toBeLessThan(1e-12);
          }
          expect(Math.abs(sum - 1)).toBeLessThan(1e-12);
        },
      ),
    );
  });

  it("knows what cannot be", () => {
    expect(binomialProbability(-1, 3, 0.5)).toBe(0);
    expect(binomialProbability(4, 3, 0.5)).toBe(0);
    expect(binomialProbability(0, 0, 0.5)).toBe(1);
    expect(binomialTail(-1, 3, 0.5)).toBe(0);
    expect(binomialTail(2, 3, 1)).toBe(0);
  });
});

describe("E-02 the normal distribution", () => {
  it.each([
    [0.5, 0.308537538725987],
    [1, 0.158655253931457],
    [2, 0.0227501319481792],
    [3, 0.00134989803163009],
    [3.5, 0.000232629079035525],
    [5, 2.86651571879194e-7],
    [10, 7.61985302416053e-24],
  ])("above %d", (x, expected) => {
    expect(normalUpperTail(x) / expected).toBeCloseTo(1, 11);
    expect(normalUpperTail(-x)).toBeCloseTo(1 - expected, 14);
  });

  it.each([
    [0.975, 1.95996398454005],
    [0.8, 0.841621233572914],
    [0.999, 3.09023230616781],
    [1e-10, -6.36134090240406],
    [0.3, -0.524400512708041],
  ])("quantile %d", (probability, expected) => {
    expect(normalQuantile(probability) / expected).toBeCloseTo(1, 12);
  });

  it("has no quantile of 0, 1 or nothing", () => {
    expect(normalQuantile(0.5)).toBeCloseTo(0, 14);
    for (const wrong of [0, 1, Number.NaN, -1])
      expect(() => normalQuantile(wrong)).toThrow(RangeError);
  });
});
