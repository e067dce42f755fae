import { expect, it } from "vitest";
import { createRunIds, isRunId } from "./index.ts";

it("P-03 names of runs sort in the order in which the runs began", () => {
  const times = [0, 0, 0, 1, 999, 1000, 1000, 998, 60_000];
  let next = 0;
  const ids = createRunIds(() => Date.UTC(2026, 0, 2, 3, 4, 5, 678) + (times[next++] ?? 0));
  const names = times.map(() => ids());
  expect(names.toSorted()).toEqual(names);
  expect(names[0]).toMatch(/^20260102T030405678Z-[0-9a-f]{8}$/);
  expect(names.every(isRunId)).toBe(true);
});

it("P-03 a clock that was set back is believed", () => {
  const times = [Date.UTC(2026, 5), Date.UTC(2025, 5)];
  const ids = createRunIds(() => times.shift() ?? 0);
  ids();
  expect(ids()).toMatch(/^20250601T/);
});
