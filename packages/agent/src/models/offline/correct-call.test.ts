import { describe, expect, it } from "vitest";
import { correctCall } from "./correct-call.ts";
import { readRequest } from "./read-request.ts";

const correct = (args: string[], observation: string, request = "") =>
  correctCall("scripts/x.py", args, observation, readRequest(request));

describe("correctCall", () => {
  it.each([
    ["there is no column amounts; there are: name, amount, city", "amounts", "amount"],
    ["there is no column salary; there are: name, salary_eur", "salary", "salary_eur"],
    ['unknown field "unit price"; available: unit_price, name', "unit price", "unit_price"],
    ["error: no such sheet 'Jan': expected one of: January, totals", "Jan", undefined],
    ["there is no column town; there are: name, city", "town", undefined],
  ])("M-02 of the listed names takes the one that was meant: %s", (message, given, expected) => {
    const args = ["a.csv", "--sum", given];
    const corrected = expected === undefined ? undefined : ["a.csv", "--sum", expected];
    expect(correct(args, message)).toEqual(corrected);
  });

  it("M-02 of the listed names takes the one that the request says, unless there are two", () => {
    const args = ["a.csv", "--by", "place"];
    const message = "there is no column place; there are: name, city, region";
    expect(correct(args, message, "group it by city")).toEqual(["a.csv", "--by", "city"]);
    expect(correct(args, message, "group it by city or region")).toBeUndefined();
  });

  it("M-02 a name that the call has already is not taken again", () => {
    const args = ["a.csv", "--by", "city", "--sum", "citys"];
    expect(correct(args, "there is no column citys; there are: city, name")).toBeUndefined();
  });

  it("M-02 what may not be written is printed: the same call without its output", () => {
    const message = "out/report.md may not be written here: the folder is read-only";
    const args = ["a.csv", "--by", "city", "--out", "out/report.md", "--svg"];
    expect(correct(args, message)).toEqual(["a.csv", "--by", "city", "--svg"]);
    expect(correct(["out/report.md"], message)).toBeUndefined();
    expect(correct(["a.csv", "--out", "other.md"], message)).toBeUndefined();
  });

  it("M-02 an option that the script does not know is left out, with its value", () => {
    expect(correct(["a", "--deep", "3"], "error: unknown option --deep")).toEqual(["a"]);
    expect(correct(["a", "--deep=3", "b"], "unknown option: --deep")).toEqual(["a", "b"]);
  });

  it("M-02 a call is not made again by its usage with a part of a number", () => {
    const usage = "usage: x.py <width> <file>\nerror: width is no number";
    expect(correct(["5", "a.png"], usage, "width 5-10 of a.png")).toBeUndefined();
    expect(correct(["5", "a.png"], usage, "width 1,500 of a.png")).toEqual(["1500", "a.png"]);
  });

  it("M-02 a message that says nothing of this leaves the call alone", () => {
    expect(correct(["a.csv"], "Traceback: out of memory")).toBeUndefined();
  });
});
