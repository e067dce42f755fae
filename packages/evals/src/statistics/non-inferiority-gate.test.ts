import { describe, expect, it } from "vitest";
import { createRandom, nonInferiorityGate, type Pair, pairedDifference } from "./index.ts";

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
        return { first: draw(), second: draw() };
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
