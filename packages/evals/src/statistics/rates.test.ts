import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  binomialProbability,
  casesToShow,
  passAllK,
  passAtK,
  percentile,
  rateOf,
  rateOfCases,
  wilsonInterval,
} from "./index.ts";

describe("E-02 the Wilson interval", () => {
  it.each([
    [3, 3, 0.438502968244954, 1],
    [10, 10, 0.722467200137111, 1],
    [18, 20, 0.698966354771513, 0.972133518786232],
    [30, 30, 0.886486606826031, 1],
    [60, 60, 0.93982814785791, 1],
    [0, 20, 0, 0.161125158052819],
    // Newcombe 1998, table I: 0.2553 to 0.3662, 0.0624 to 0.1605, 0.0061 to 0.1718.
    [81, 263, 0.255288519878274, 0.3662095769828],
    [15, 148, 0.0623863995307363, 0.160487241723308],
    [1, 29, 0.00611321429276266, 0.171755218793203],
  ])("of %d of %d", (successes, n, low, high) => {
    const interval = wilsonInterval(successes, n);
    expect(Math.abs(interval.low - low)).toBeLessThan(1e-12);
    expect(Math.abs(interval.high - high)).toBeLessThan(1e-12);
  });

  it.each([5, 10, 20, 50, 100, 300])(
    "covers the true rate in 94 to 96 of 100 cases on average, enumerated for n = %d",
    (n) => {
      const intervals = Array.from({ length: n + 1 }, (_, count) => wilsonInterval(count, n));
      let sum = 0;
      const steps = 999;
      for (let step = 1; step <= steps; step++) {
        const rate = step / (steps + 1);
        for (const [count, { low, high }] of intervals.entries()) {
          if (low <= rate && rate <= high) sum += binomialProbability(count, n, rate);
        }
      }
      expect(sum / steps).toBeGreaterThan(0.94);
      expect(sum / steps).toBeLessThan(0.96);
    },
  );

  it("holds the share, mirrors, and gets narrower with more cases", () => {
    const counts = fc
      .tuple(fc.integer({ min: 1, max: 2000 }), fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([n, share]) => ({ n, successes: share * n }));
    fc.assert(
      fc.property(counts, ({ n, successes }) => {
        const { low, high } = wilsonInterval(successes, n);
        const mirrored = wilsonInterval(n - successes, n);
        const more = wilsonInterval(successes * 4, n * 4);
        expect(low).toBeLessThanOrEqual(successes / n);
        expect(high).toBeGreaterThanOrEqual(successes / n);
        expect(mirrored.low).toBeCloseTo(1 - high, 10);
        expect(more.high - more.low).toBeLessThan(high - low);
        expect(low >= 0 && high <= 1).toBe(true);
      }),
    );
  });

  it("of nothing is everything", () => {
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
    expect(rateOf(0, 0)).toEqual({ value: null, low: 0, high: 1, successes: 0, n: 0, trials: 0 });
  });
});

it("E-02 counts a case once, however many trials it has", () => {
  const once = rateOfCases([[true], [true], [false]]);
  const often = rateOfCases([[true, true, true], [true, true, true], [false, false, false], []]);
  expect(often).toEqual({ ...once, trials: 9 });
  expect(rateOfCases([[true, false]])).toMatchObject({ value: 0.5, successes: 0.5, n: 1 });
});

it("E-02 tells how many cases show a rate", () => {
  expect(casesToShow(0.9)).toBe(35);
  for (const rate of [0.5, 0.8, 0.9, 0.95, 0.99]) {
    const n = casesToShow(rate);
    expect(wilsonInterval(n, n).low).toBeGreaterThan(rate);
    expect(wilsonInterval(n - 1, n - 1).low).toBeLessThanOrEqual(rate + 1e-12);
  }
  expect(() => casesToShow(1)).toThrow(RangeError);
});

describe("E-02 pass@k and pass^k", () => {
  it("are unbiased: the mean over all outcomes is the true value", () => {
    const n = 6;
    for (const rate of [0.2, 0.5, 0.9]) {
      for (let k = 1; k <= n; k++) {
        let atLeastOne = 0;
        let all = 0;
        for (let bits = 0; bits < 2 ** n; bits++) {
          const passed = bits.toString(2).replaceAll("0", "").length;
          const weight = rate ** passed * (1 - rate) ** (n - passed);
          atLeastOne += weight * passAtK(passed, n, k);
          all += weight * passAllK(passed, n, k);
        }
        expect(atLeastOne).toBeCloseTo(1 - (1 - rate) ** k, 12);
        expect(all).toBeCloseTo(rate ** k, 12);
      }
    }
  });

  it("are quotients of binomial coefficients", () => {
    expect(passAtK(3, 5, 2)).toBeCloseTo(1 - 1 / 10, 14);
    expect(passAllK(3, 5, 2)).toBeCloseTo(3 / 10, 14);
    expect(passAllK(1, 5, 2)).toBe(0);
    expect(passAtK(999_999, 1_000_000, 2)).toBe(1);
    expect(() => passAtK(1, 2, 3)).toThrow(RangeError);
    expect(() => passAllK(0, 0, 1)).toThrow(RangeError);
  });
});

it("E-02 percentiles are those of R's default", () => {
  // quantile(c(1, 3, 4, 10), c(.5, .95)) and its ends.
  expect(percentile([10, 1, 4, 3], 0.5)).toBe(3.5);
  expect(percentile([10, 1, 4, 3], 0.95)).toBeCloseTo(9.1, 12);
  expect(percentile([10, 1, 4, 3], 0)).toBe(1);
  expect(percentile([10, 1, 4, 3], 1)).toBe(10);
  expect(percentile([], 0.5)).toBeUndefined();
});
