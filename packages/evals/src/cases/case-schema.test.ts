import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { casesJsonSchema, casesSchemaText } from "./index.ts";

describe("the schema of cases", () => {
  it("E-01 is published as it is", () => {
    const file = new URL("../../../../schema/eval-cases.schema.json", import.meta.url);
    expect(readFileSync(file, "utf8")).toBe(casesSchemaText());
  });

  it("E-01 tells an editor what is right and what is not", () => {
    const check = new Ajv2020({ strict: false }).compile(casesJsonSchema());
    const right = {
      input: "x",
      expected: { skills: "none", output: [{ type: "file-exists", path: "a" }] },
    };
    expect(check({ skill: "pdf", cases: [right] })).toBe(true);
    expect(check([right])).toBe(true);
    expect(check(right)).toBe(true);
    expect(check({ ...right, expcted: {} })).toBe(false);
    expect(check({ ...right, expected: { output: [{ type: "guess" }] } })).toBe(false);
  });
});
