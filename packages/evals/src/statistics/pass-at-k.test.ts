import { describe, expect, it } from "vitest";
import { passAllK, passAtK } from "./index.ts";

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
