import { expect, it } from "vitest";
import { percentile } from "./index.ts";

it("E-02 percentiles are those of R's default", () => {
  // quantile(c(1, 3, 4, 10), c(.5, .95)) and its ends.
  expect(percentile([10, 1, 4, 3], 0.5)).toBe(3.5);
  expect(percentile([10, 1, 4, 3], 0.95)).toBeCloseTo(9.1, 12);
  expect(percentile([10, 1, 4, 3], 0)).toBe(1);
  expect(percentile([10, 1, 4, 3], 1)).toBe(10);
  expect(percentile([], 0.5)).toBeUndefined();
});
