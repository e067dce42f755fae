import { expect, it } from "vitest";
import { verdictExitCode } from "../index.ts";

it.each([
  ["pass", 0, 0],
  ["inconclusive", 0, 1],
  ["fail", 1, 1],
  ["errors", 4, 4],
  ["no-data", 4, 4],
] as const)("E-02 the verdict %s ends with %d, strictly with %d", (status, usual, strict) => {
  expect(verdictExitCode({ status })).toBe(usual);
  expect(verdictExitCode({ status }, { failWhenInconclusive: true })).toBe(strict);
});
