import { describe, expect, it } from "vitest";
import { type Parameters, readToolInput } from "./index.ts";

const PARAMETERS = {
  path: { type: "string", description: "" },
  start_line: { type: "integer", description: "", minimum: 1, maximum: 9, optional: true },
  deep: { type: "boolean", description: "", optional: true },
  argv: { type: "strings", description: "", optional: true },
  content: { type: "string", description: "", optional: true, mayBeEmpty: true },
} as const satisfies Parameters;

const THROWS = {
  enumerable: true,
  get: () => {
    throw new Error("no");
  },
};

const read = (input: unknown) => readToolInput(input, PARAMETERS);

describe("accepted", () => {
  it.each([
    ["an object", { path: "a" }, { path: "a" }],
    ["JSON text", '{"path":"a"}', { path: "a" }],
    ["JSON in JSON text", '"{\\"path\\":\\"a\\"}"', { path: "a" }],
    ["another case", { PATH: "a", StartLine: "3" }, { path: "a", start_line: 3 }],
    ["another word", { filePath: "a" }, { path: "a" }],
    ["a number as text", { path: 5 }, { path: "5" }],
    ["too much", { path: "a", start_line: 99 }, { path: "a", start_line: 9 }],
    ["written truth", { path: "a", deep: "True" }, { path: "a", deep: true }],
    ["one for a list", { path: "a", argv: "x" }, { path: "a", argv: ["x"] }],
    ["a list as text", { path: "a", argv: '["x","y"]' }, { path: "a", argv: ["x", "y"] }],
    ["an empty text that may be", { path: "a", content: "" }, { path: "a", content: "" }],
    ["unknown ones, left out", { path: "a", more: 1 }, { path: "a" }],
  ])("T-07 takes %s", (_, input, values) => {
    expect(read(input)).toEqual({ ok: true, values });
  });
});

describe("refused", () => {
  it.each([
    ["bad JSON", "{path", /not valid JSON/],
    ["a list", [], /must be a JSON object, got an empty list/],
    ["nothing", undefined, /"path" is missing; expected a string/],
    ["another name", { pfad: "a" }, /"path" is missing \(there is "pfad"\)/],
    ["an empty path", { path: "" }, /must not be empty/],
    ["an object for text", { path: {} }, /must be a string, got an object/],
    ["line 0", { path: "a", start_line: 0 }, /must be an integer from 1 on, got 0/],
    ["half a line", { path: "a", start_line: 1.5 }, /must be an integer/],
    ["an inherited value", Object.create({ path: "a" }) as object, /"path" is missing/],
    ["a getter that throws", Object.defineProperty({}, "path", THROWS), /cannot be read/],
  ])("T-07 says what is wrong with %s", (_, input, message) => {
    const result = read(input);
    expect(result).toMatchObject({ ok: false, code: "input-invalid" });
    expect(result).toHaveProperty("message", expect.stringMatching(message));
    expect(result).toHaveProperty("hint", expect.stringContaining('"path": a string'));
  });
});
