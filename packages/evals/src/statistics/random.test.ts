import { expect, it } from "vitest";
import { createRandom, generator } from "./index.ts";

it("E-02 gives the published sequence of xoshiro128** for the state 1, 2, 3, 4", () => {
  const next = generator([1, 2, 3, 4]);
  expect(Array.from({ length: 10 }, next)).toEqual([
    11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597,
    4258142804,
  ]);
});

it("E-02 gives the same numbers for the same seed and others for another", () => {
  const numbers = (seed: number) => {
    const random = createRandom(seed);
    return Array.from({ length: 4 }, () => random.next());
  };
  expect(numbers(7)).toEqual(numbers(7));
  const first = [0, 1, 1.5, -1, 2 ** 32 + 1, 2 ** 53 - 1].map((seed) => numbers(seed)[0]);
  expect(new Set(first).size).toBe(first.length);
});

it("E-02 spreads evenly and never reaches the limit", () => {
  const random = createRandom(1);
  const counts = Array.from({ length: 10 }, () => 0);
  for (let i = 0; i < 100_000; i++) counts[random.below(10)]!++;
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(100_000);
  // The 0.999 quantile of chi-square with 9 degrees of freedom is 27.88.
  const chiSquare = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
  expect(chiSquare).toBeLessThan(27.88);
});
