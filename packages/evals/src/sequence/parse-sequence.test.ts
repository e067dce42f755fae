import { describe, expect, it } from "vitest";
import { parseSequence } from "../index.ts";
import { formatSequence } from "./index.ts";

describe("parseSequence", () => {
  it.each([
    ["", 1, "expected a step instead of the end of the line"],
    ["jump pdf", 1, "expected a step instead of `jump`"],
    ["select pdf run x", 12, "did not expect `run` here"],
    ["at most many run *", 9, "expected a number instead of `many`"],
    ["at most 2.5 run *", 9, "expected a number instead of `2.5`"],
    ["between 3 and 1 run *", 9, "3 is more than 1"],
    ["every run * before answer", 13, "expected `then` instead of `before`"],
    ["run * only within 2 meters after answer", 21, "expected `steps` instead of `meters`"],
    ["run * within 0 steps after answer", 14, "nothing is done within 0 steps"],
    [
      "run * where",
      12,
      "expected `ok`, `failed` or the name of an argument instead of the end of the line",
    ],
    [
      "run * where args",
      17,
      "expected `=`, `!=`, `contains` or `matches` instead of the end of the line",
    ],
    [
      "run * where args matches fill",
      26,
      "expected a regular expression such as /a+/i instead of `fill`",
    ],
    ["run * where args matches /(/", 26, "Invalid regular expression: /(/: Unterminated group"],
    ['run "x', 5, "the quotes are left open"],
    ['run "\\x"', 5, "the text in quotes is not written as in JSON"],
    ["(run * or use *", 16, "expected `)` instead of the end of the line"],
    ["(select a before run b) or else answer", 11, "expected `)` instead of `before`"],
    ["in order: run a,", 17, "expected a step instead of the end of the line"],
    ["run a or else", 14, "expected a step instead of the end of the line"],
  ])("E-01 says where %j is wrong", (line, column, message) => {
    expect(parseSequence(line)).toMatchObject({
      ok: false,
      code: "sequence-invalid",
      column,
      message,
    });
  });

  it.each([
    ["select pdf", "at least 1 select pdf"],
    ["in order: run a, run b", "run a then run b"],
    ["run b after run a", "run a before run b"],
    ["run b immediately after run a", "run a then immediately run b"],
    ["run a within 2 steps before run b", "run a then within 2 steps run b"],
    ["exactly 0 run a", "never run a"],
    [
      "(run a) or else not ( use b or use c )",
      "at least 1 run a or else not at least 1 use b or use c",
    ],
    [
      "use a where input.x != 1 and not y contains z",
      'at least 1 use a where not input.x = 1 and not y contains "z"',
    ],
    ['select "before"', 'at least 1 select "before"'],
    ["exactly : run a", "exactly: run a"],
  ])("E-01 %s is the same as %s", (line, canonical) => {
    const parsed = parseSequence(line);
    expect(parsed.ok && formatSequence(parsed.rule)).toBe(canonical);
    expect(parseSequence(canonical)).toEqual(parsed);
  });

  it("E-01 refuses lines that are too long, and lists with too many steps", () => {
    expect(parseSequence(`run ${"x".repeat(5000)}`)).toMatchObject({ ok: false, column: 4001 });
    const list = `in order: ${Array.from({ length: 65 }, () => "answer").join(", ")}`;
    expect(parseSequence(list)).toMatchObject({ ok: false, message: "more than 64 steps" });
    const chain = Array.from({ length: 65 }, () => "answer").join(" then ");
    expect(parseSequence(chain)).toMatchObject({ ok: false, message: "more than 64 steps" });
    expect(parseSequence("(".repeat(3900))).toMatchObject({ ok: false });
  });
});
