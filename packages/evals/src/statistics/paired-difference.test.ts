import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Pair, pairedDifference } from "./index.ts";

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
