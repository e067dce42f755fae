import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  mcnemarPower,
  mcnemarTest,
  type Pair,
  pairedDifference,
  pairsNeeded,
  signFlipTest,
} from "./index.ts";

/** Both pass, only the first, only the second, neither. */
function table(both: number, first: number, second: number, neither: number): Pair[] {
  const some = (count: number, pair: Pair) => Array.from({ length: count }, () => pair);
  return [
    ...some(both, { first: 1, second: 1 }),
    ...some(first, { first: 1, second: 0 }),
    ...some(second, { first: 0, second: 1 }),
    ...some(neither, { first: 0, second: 0 }),
  ];
}

describe("E-02 Newcombe's interval of a paired difference", () => {
  it.each([
    // Newcombe 1998: 0.0569 to 0.3404. Cavo 2012 in Fagerland and others: -0.1186 to -0.0046.
    [36, 12, 2, 0, 0.0569295840032388, 0.340427602974941],
    [59, 6, 16, 80, -0.11862119563871, -0.00462511393305005],
    [1, 1, 7, 12, -0.506920226686141, -0.0255591241648598],
    [14, 5, 0, 22, 0.0114832413830333, 0.226492684351211],
    [20, 0, 0, 0, -0.161125158052819, 0.161125158052819],
  ])("of %d, %d, %d, %d", (both, first, second, neither, low, high) => {
    const difference = pairedDifference(table(both, first, second, neither));
    expect(Math.abs(difference.low - low)).toBeLessThan(1e-12);
    expect(Math.abs(difference.high - high)).toBeLessThan(1e-12);
    expect(difference.n).toBe(both + first + second + neither);
  });

  it("of shares holds the difference, and turns round with the runs", () => {
    const share = fc.integer({ min: 0, max: 5 }).map((count) => count / 5);
    const pairs = fc.array(fc.record({ first: share, second: share }), { minLength: 1 });
    fc.assert(
      fc.property(pairs, (given) => {
        const { value, low, high } = pairedDifference(given);
        const turned = pairedDifference(
          given.map(({ first, second }) => ({ first: second, second: first })),
        );
        expect(low).toBeLessThanOrEqual(value);
        expect(high).toBeGreaterThanOrEqual(value);
        expect(turned.low).toBeCloseTo(-high, 10);
        expect(turned.high).toBeCloseTo(-low, 10);
      }),
    );
  });

  it("knows nothing of no pairs", () => {
    expect(pairedDifference([])).toEqual({ value: 0, low: -1, high: 1, n: 0 });
  });
});

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
