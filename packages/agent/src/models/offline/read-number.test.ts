import { describe, expect, it } from "vitest";
import { readNumber } from "./read-number.ts";

describe("readNumber", () => {
  it.each([
    ["1,500", "1500"],
    ["1,234.5", "1234.5"],
    ["1.500,25", "1500.25"],
    ["1,500,000", "1500000"],
    ["1.500.000", "1500000"],
    ["2,5", "2.5"],
    ["0,500", "0.500"],
    ["1234,500", "1234.500"],
    ["1.500", "1.500"],
    [".5", "0.5"],
    ["1'500.25", "1500.25"],
    ["1_000", "1000"],
    ["1e3", "1e3"],
    ["minus 10", "-10"],
    ["negative 2,5", "-2.5"],
    ["−40", "-40"],
    ["+5", "5"],
    ["零下10", "-10"],
    ["１５", "15"],
    ["½", "1/2"],
    ["1/2", "1/2"],
    ["2 3/4", "11/4"],
    ["1½", "3/2"],
    ["-1 1/2", "-3/2"],
  ])("M-02 %j is read as %j", (written, value) => {
    expect(readNumber(written, false)).toEqual({ value });
  });

  it.each([
    ["5-10", "range"],
    ["5 to 10", "range"],
    ["2^10", "calculation"],
    ["3 x 4", "calculation"],
    ["10²", "calculation"],
    ["1,50,000", "unknown"],
    ["1.2.3", "unknown"],
    ["1/0", "unknown"],
    ["5 million", "unknown"],
    ["1 000", "spaced"],
    ["- 10", "ambiguous"],
  ])("M-02 %j cannot be read: %s", (written, unclear) => {
    expect(readNumber(written, false)).toEqual({ unclear });
  });

  it("M-02 in German one group of three may be either", () => {
    for (const written of ["1,500", "1.500"]) {
      expect(readNumber(written, true)).toEqual({ unclear: "ambiguous" });
    }
    expect(readNumber("2,5", true)).toEqual({ value: "2.5" });
    expect(readNumber("1.500,25", true)).toEqual({ value: "1500.25" });
    expect(readNumber("0,500", true)).toEqual({ value: "0.500" });
  });
});
