import { expect, it } from "vitest";
import { formatRate } from "../index.ts";
import { formatDifference, formatProbability, rateOf, rateOfCases } from "./index.ts";

it.each([
  [rateOf(11, 12), "92 % (11 of 12 cases, 95 % interval 65 to 99 %)"],
  [rateOf(1, 1), "100 % (1 of 1 case, 95 % interval 21 to 100 %)"],
  [rateOf(0, 0), "nothing judged"],
  [rateOf(999, 1000), "> 99 % (999 of 1000 cases, 95 % interval 99 to > 99 %)"],
  [rateOf(0, 1000), "0 % (0 of 1000 cases, 95 % interval 0 to < 1 %)"],
  [
    rateOfCases([[true, false, true], [true]]),
    "83 % (1.7 of 2 cases with 4 trials, 95 % interval 24 to 99 %)",
  ],
])("E-02 a rate is never shown without what it rests on: %j", (rate, text) => {
  expect(formatRate(rate)).toBe(text);
});

it("E-02 shows differences in points, and probabilities without false zeros", () => {
  expect(formatDifference({ value: 0.2, low: 0.057, high: 0.34, n: 50 })).toBe(
    "+20 points (95 % interval +6 to +34, 50 cases)",
  );
  expect(formatDifference({ value: -0.001, low: -1, high: 1, n: 1 })).toBe(
    "0 points (95 % interval -100 to +100, 1 case)",
  );
  expect([0.00004, 0.03125, 0.0625, 0.5, 1].map(formatProbability)).toEqual([
    "< 0.001",
    "= 0.031",
    "= 0.063",
    "= 0.50",
    "= 1.00",
  ]);
});
