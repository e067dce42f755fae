import { describe, expect, it } from "vitest";
import { parseSequence } from "../index.ts";

describe("parseSequence", () => {
  it.each([
    ["", 1, "expected a step instead of the end of the line"],
    ["jump pdf", 1, "expected a step instead of `jump`"],
    ["select pdf run x", 12, "did not expect `run` here"],
    ["select a then run b", 10, "did not expect `then` here"],
    ["never run a before b", 20, "expected a step instead of `b`"],
    ["never run a before run b before run c", 26, "did not expect `before` here"],
    ["at most many run *", 9, "expected a number instead of `many`"],
    ["at most 2.5 run *", 9, "expected a number instead of `2.5`"],
    ["at least 2 run *", 1, "expected a step instead of `at`"],
    ["exactly: run *", 1, "expected a step instead of `exactly:`"],
    [
      "run * where",
      12,
      "expected `ok`, `failed` or the name of an argument instead of the end of the line",
    ],
    [
      "run * where args",
      17,
      "expected `=`, `contains` or `matches` instead of the end of the line",
    ],
    [
      "run * where args matches fill",
      26,
      "expected a regular expression such as /a+/i instead of `fill`",
    ],
    ["run * where args matches /(/", 26, "Invalid regular expression: /(/: Unterminated group"],
    ["run * where args matches /a/g", 26, "the flags g are not i, m, s, u"],
    ['run "x', 5, "the quotes are not closed"],
    ['run "\\x"', 5, "the text in quotes is not valid JSON"],
  ])("E-01 says where %j is wrong", (line, column, message) => {
    expect(parseSequence(line)).toMatchObject({
      ok: false,
      code: "sequence-invalid",
      column,
      message,
    });
  });

  it("E-01 refuses lines that are too long, and orders of too many steps", () => {
    expect(parseSequence(`run ${"x".repeat(5000)}`)).toMatchObject({ ok: false, column: 4001 });
    const order = Array.from({ length: 65 }, () => "answer").join(" before ");
    expect(parseSequence(order)).toMatchObject({ ok: false, message: "more than 64 steps" });
  });
});
