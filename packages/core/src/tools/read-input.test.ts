import { describe, expect, it } from "vitest";
import type { InputSchema } from "../internal/index.ts";
import { readInput } from "./testing.ts";

const SCHEMA: InputSchema = {
  type: "object",
  properties: {
    skill_name: { type: "string" },
    n: { type: "integer", minimum: 1, maximum: 50 },
    args: { type: "array", items: { type: "string" } },
    deep: { type: "boolean" },
  },
  required: ["skill_name"],
};

function values(input: unknown) {
  const read = readInput(input, SCHEMA);
  return read.ok ? read.values : read.message;
}

describe("T-07 parameters", () => {
  it.each([
    [{ skill_name: "pdf" }],
    ['{"skill_name":"pdf"}'],
    [{ SKILL_NAME: "pdf" }],
    [{ skillName: "pdf" }],
    [{ "Skill-Name": "pdf" }],
    [{ name: "pdf" }],
    [{ skill: "pdf", other: 1 }],
    ['"{\\"skill_name\\":\\"pdf\\"}"'],
    [{ skill_name: "pdf", skillname: "other", n: null }],
  ])("T-07 takes %j for what is meant", (input) => {
    expect(values(input)).toEqual({ skill_name: "pdf" });
  });

  it.each([
    ["n", "5", 5],
    ["n", " 5 ", 5],
    ["n", 5, 5],
    ["n", 1000, 50],
    ["deep", "True", true],
    ["deep", "false", false],
    ["args", "one", ["one"]],
    ["args", '["one", 2]', ["one", "2"]],
    ["args", ["--depth", 3, true], ["--depth", "3", "true"]],
    ["args", "[not a list", ["[not a list"]],
    ["args", [], []],
    ["skill_name", 42, "42"],
  ])("T-07 coerces %s %j to %j", (name, given, value) => {
    expect(values({ skill_name: "pdf", [name]: given })).toMatchObject({ [name]: value });
  });

  it.each([
    [{}, 'the parameter "skill_name" is missing; expected a string'],
    [{ x: 1 }, 'the parameter "skill_name" is missing (there is "x"); expected a string'],
    [undefined, 'the parameter "skill_name" is missing; expected a string'],
    ["", 'the parameter "skill_name" is missing; expected a string'],
    [
      { skill_name: null },
      'the parameter "skill_name" is missing (there is "skill_name"); expected a string',
    ],
    [{ skill_name: "" }, 'the parameter "skill_name" must not be empty'],
    [{ skill_name: ["pdf"] }, 'the parameter "skill_name" must be a string, got a list'],
    [{ skill_name: "a", n: "five" }, 'the parameter "n" must be an integer from 1 on, got "five"'],
    [{ skill_name: "a", n: 0 }, 'the parameter "n" must be an integer from 1 on, got 0'],
    [{ skill_name: "a", n: 1.5 }, 'the parameter "n" must be an integer from 1 on, got 1.5'],
    [{ skill_name: "a", args: [{}] }, 'the parameter "args" must be a list of strings, got a list'],
    [{ skill_name: "a", deep: "maybe" }, 'the parameter "deep" must be true or false, got "maybe"'],
    [[], "the parameters must be a JSON object, got an empty list"],
    [7, "the parameters must be a JSON object, got 7"],
    ['"pdf', expect.stringMatching(/^the parameters are not valid JSON \(/)],
  ])("T-07 says what is wrong with %j", (input, message) => {
    expect(values(input)).toEqual(message);
  });

  it("T-07 tells which parameters there are", () => {
    expect(readInput({}, SCHEMA)).toMatchObject({
      code: "input-invalid",
      hint: 'Give a JSON object with "skill_name": a string, "n" (optional): an integer from 1 on, "args" (optional): a list of strings, "deep" (optional): true or false.',
    });
  });

  it("T-07 counts own properties only", () => {
    const inherited = Object.create({ skill_name: "pdf" }) as object;
    expect(values(inherited)).toContain("missing");
    expect(values('{"__proto__":{"skill_name":"pdf"}}')).toContain("missing");
    expect(values('{"__proto__":{"polluted":1},"skill_name":"pdf"}')).toEqual({
      skill_name: "pdf",
    });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("T-07 survives objects that throw when they are read", () => {
    const trap = {
      get skill_name(): string {
        throw new Error("no");
      },
    };
    expect(values(trap)).toBe("the parameters cannot be read");
  });
});
