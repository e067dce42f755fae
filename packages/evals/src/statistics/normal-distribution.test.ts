import { describe, expect, it } from "vitest";
import { normalQuantile, normalUpperTail } from "./index.ts";

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
