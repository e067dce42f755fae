import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holmAdjust } from "./index.ts";

describe("E-02 Holm's correction", () => {
  it("keeps the order given and never gets smaller with rank", () => {
    const adjusted = holmAdjust([0.04, 0.01, 0.05, 0.03, 0.02]);
    for (const [i, expected] of [0.09, 0.05, 0.09, 0.09, 0.08].entries()) {
      expect(adjusted[i]).toBeCloseTo(expected, 14);
    }
    expect(holmAdjust([0.6, 0.7])).toEqual([1, 1]);
    expect(holmAdjust([])).toEqual([]);
  });

  it("lies between the value itself and Bonferroni's", () => {
    const probabilities = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });
    fc.assert(
      fc.property(probabilities, (values) => {
        for (const [i, adjusted] of holmAdjust(values).entries()) {
          expect(adjusted).toBeGreaterThanOrEqual(values[i]!);
          expect(adjusted).toBeLessThanOrEqual(Math.min(1, values[i]! * values.length));
        }
      }),
    );
  });
});
