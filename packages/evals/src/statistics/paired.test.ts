import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createRandom,
  fisherExactTest,
  mcnemarTest,
  nonInferiorityGate,
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

  it("E-06 narrows with the trials of a case, and less where trials of a case resemble each other", () => {
    const width = (pairs: readonly Pair[]) => {
      const { low, high } = pairedDifference(pairs);
      return high - low;
    };
    const many = (trials: number, shares: readonly number[]) =>
      Array.from({ length: 30 }, (_, i) => {
        const [first = 0, second = 0] = [shares[i % 5], shares[(i * 2 + 3) % 5]];
        return { first, second, firstTrials: trials, secondTrials: trials };
      });
    const mixed = [0.6, 0.8, 1, 0.8, 0.8];
    expect(width(many(1, mixed))).toBeGreaterThan(0.32);
    expect(width(many(5, mixed))).toBeLessThan(0.2);
    // Four of five cases always pass and one never does: five trials tell no more than one.
    expect(width(many(5, [1, 1, 0, 1, 1]))).toBeCloseTo(width(many(1, [1, 1, 0, 1, 1])), 12);
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
  it.each([Number.NaN, Infinity])("E-06 refuses a difference of %d", (wrong) => {
    expect(() => signFlipTest([wrong, 1], 1)).toThrow(RangeError);
    expect(() => signFlipTest([...times(30, 1), wrong], 1)).toThrow(RangeError);
  });

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
    });
  });

  it("E-06 is exact for shares of trials, however many cases", () => {
    const p = (differences: readonly number[]) => signFlipTest(differences, 1);
    expect(p([...times(20, 0.5), ...times(8, -0.5)])).toMatchObject({ method: "exact" });
    expect(p([...times(20, 0.5), ...times(8, -0.5)]).p).toBeCloseTo(mcnemarTest(20, 8).p, 12);
    // Sixteen can be enumerated; further ones whose signs cannot matter change little.
    const few = [0.2, -0.4, 0.6, 0.2, 0.8, 1, -0.2, 0.4];
    expect(p([...few, ...times(20, 0)]).p).toBe(p(few).p);
    expect(p([...few, ...times(10, 1e-3 / 4), ...times(10, -1e-3 / 4)]).p).toBeCloseTo(p(few).p, 1);
  });

  it("draws signs for many irregular differences, always the same ones", () => {
    const differences = Array.from(
      { length: 28 },
      (_, i) => (i % 4 === 0 ? -1 : 1) * Math.sqrt(i + 2),
    );
    const first = signFlipTest(differences, 42);
    expect(first.method).toBe("monte-carlo");
    expect(signFlipTest(differences, 42)).toEqual(first);
    expect(Math.abs(signFlipTest(differences, 7).p - first.p)).toBeLessThan(0.003);
    expect(first.p).toBeGreaterThan(0);
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

describe("E-02 the number of pairs that a difference needs", () => {
  it.each([
    [0.1, 0.2, 155],
    [0.2, 0.4, 77],
    [0.3, 0.5, 42],
  ])("of %d with %d discordant is %d", (difference, discordant, expected) => {
    expect(pairsNeeded({ difference, discordant })).toBe(expected);
  });

  it("never finds what is not there", () => {
    expect(pairsNeeded({ difference: 0, discordant: 0.2 })).toBe(Number.POSITIVE_INFINITY);
  });
});

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
    expect(p).toBeCloseTo(0.0063362687808441, 9);
  });
});

describe("E-04 the non-inferiority gate", () => {
  const difference = (low: number, high: number) => ({ value: (low + high) / 2, low, high, n: 50 });

  it.each([
    [-0.04, 0.03, "pass", false],
    [-0.3, -0.06, "fail", true],
    [-0.2, 0.1, "inconclusive", false],
    [-0.2, -0.01, "inconclusive", true],
    [-0.04, -0.01, "pass", true],
  ] as const)("of an interval from %d to %d", (low, high, status, isWorse) => {
    expect(nonInferiorityGate(difference(low, high), 0.05)).toMatchObject({ status, isWorse });
  });

  it.each([-0.1, 1, Number.NaN])("takes no margin of %d", (margin) => {
    expect(() => nonInferiorityGate(difference(0, 0), margin)).toThrow(RangeError);
  });

  it.each([
    [10, 0.5, 0, 1],
    [30, 0.9, 0, 1],
    [30, 0.5, 0.6, 1],
    [60, 0.95, 0.5, 1],
    [20, 0.7, 0.5, 5],
    [100, 0.8, 0.8, 3],
  ])(
    "false alarms: %d cases, a rate of %d, %d of them settled, %d trials: at most 1 in 20 runs when nothing changed",
    (cases, rate, alike, trials) => {
      const random = createRandom(cases * trials);
      const runs = 2000;
      let alarms = 0;
      for (let run = 0; run < runs; run++) {
        const pairs = Array.from({ length: cases }, () => drawPair(rate, alike, trials));
        if (nonInferiorityGate(pairedDifference(pairs), 0).status === "fail") alarms++;
      }
      expect(alarms / runs).toBeLessThanOrEqual(0.05);

      /** Cases that are alike have a rate of their own, 0 or 1, in both runs. */
      function drawPair(mean: number, share: number, count: number): Pair {
        const fixed = random.next() < mean ? 1 : 0;
        const own = random.next() < share ? fixed : mean;
        const draw = () => {
          let passed = 0;
          for (let i = 0; i < count; i++) if (random.next() < own) passed++;
          return passed / count;
        };
        return { first: draw(), second: draw(), firstTrials: count, secondTrials: count };
      }
    },
  );

  it("finds a drop of 30 points in 100 cases", () => {
    const pairs = Array.from({ length: 100 }, (_, i) => ({
      first: i < 60 ? 1 : 0,
      second: i < 90 ? 1 : 0,
    }));
    expect(nonInferiorityGate(pairedDifference(pairs), 0.05).status).toBe("fail");
  });
});
