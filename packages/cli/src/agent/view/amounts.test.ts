import { expect, it } from "vitest";
import { counted, dollars, shortCount, shortTime, wholeTime } from "../index.ts";

it.each([
  [0, "0"],
  [999, "999"],
  [1000, "1k"],
  [5490, "5.5k"],
  [99_940, "99.9k"],
  [99_960, "100k"],
  [999_499, "999k"],
  [999_500, "1M"],
  [1_234_567, "1.2M"],
])("C-01 %i is %s", (count, text) => {
  expect(shortCount(count)).toBe(text);
});

it.each([
  [0, "0.0s", "0s"],
  [383, "0.4s", "0s"],
  [9960, "10s", "10s"],
  [59_600, "1m 00s", "1m 00s"],
  [185_000, "3m 05s", "3m 05s"],
  [-5, "0.0s", "0s"],
])("C-01 %i ms is %s, and %s while it runs", (milliseconds, short, whole) => {
  expect(shortTime(milliseconds)).toBe(short);
  expect(wholeTime(milliseconds)).toBe(whole);
});

it("C-01 says one step and two steps, and money so that it is not nothing", () => {
  expect([counted(1, "step"), counted(2, "step"), counted(0, "step")]).toEqual([
    "1 step",
    "2 steps",
    "0 steps",
  ]);
  expect([dollars(0.0042), dollars(1.2)]).toEqual(["$0.0042", "$1.20"]);
});
