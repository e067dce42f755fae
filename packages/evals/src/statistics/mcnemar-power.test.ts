import { describe, expect, it } from "vitest";
import { mcnemarPower, mcnemarTest, pairsNeeded } from "./index.ts";

describe("E-02 the power of paired tests", () => {
  it.each([
    [0.1, 0.2, 155],
    [0.2, 0.4, 77],
    [0.3, 0.5, 42],
  ])("+%d with %d discordant needs %d pairs", (difference, discordant, pairs) => {
    expect(pairsNeeded({ difference, discordant })).toBe(pairs);
    const power = mcnemarPower(pairs, { difference, discordant });
    // The exact test is more cautious than the formula for the number.
    expect(power).toBeGreaterThan(0.72);
    expect(power).toBeLessThan(0.82);
    expect(mcnemarPower(Math.ceil(pairs * 1.15), { difference, discordant })).toBeGreaterThan(0.8);
  });

  it("is what enumerating all outcomes says", () => {
    const [pairs, better, worse] = [9, 0.5, 0.1];
    let expected = 0;
    for (let up = 0; up <= pairs; up++) {
      for (let down = 0; up + down <= pairs; down++) {
        if (mcnemarTest(up, down).p > 0.05) continue;
        const ways = choose(pairs, up) * choose(pairs - up, down);
        expected += ways * better ** up * worse ** down * 0.4 ** (pairs - up - down);
      }
    }
    const effect = { difference: better - worse, discordant: better + worse };
    expect(mcnemarPower(pairs, effect)).toBeCloseTo(expected, 12);
  });

  it("never finds what is not there", () => {
    expect(pairsNeeded({ difference: 0, discordant: 0.2 })).toBe(Number.POSITIVE_INFINITY);
    expect(mcnemarPower(50, { difference: 0, discordant: 0 })).toBe(0);
    expect(mcnemarPower(50, { difference: 0, discordant: 0.4 })).toBeLessThanOrEqual(0.05);
  });
});

function choose(n: number, k: number): number {
  let ways = 1;
  for (let i = 0; i < k; i++) ways = (ways * (n - i)) / (i + 1);
  return Math.round(ways);
}
