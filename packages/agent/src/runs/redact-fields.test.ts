import { createRedactor } from "@skillwright/runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../test/support/suite.ts";
import { readJson } from "../actions/index.ts";
import { MAX_TEXT } from "../internal/index.ts";
import { redactFields, redactWhole } from "./index.ts";

const redactor = createRedactor({
  env: { SERVICE_KEY: '{"id":"the-first","no":"the-second"}' },
  values: ["hunter-two"],
  maxStringLength: MAX_TEXT,
});
const TOKEN = `ghp_${"a1".repeat(18)}`;
const ofText = (text: string) => (redactFields({ text }, redactor) as { text: string }).text;

describe("redactFields", () => {
  it.each([
    [
      "a name",
      { input: { otp: "918273", dsn: "db://x" } },
      '{"input":{"dsn":"[redacted]","otp":"[redacted]"}}',
    ],
    ["a shape behind an escape", { answer: `tok:\n${TOKEN}` }, '{"answer":"tok:\\n[redacted]"}'],
    ["a number", { password: 123, a: 1 }, '{"a":1,"password":"[redacted]"}'],
    ["a pair", { name: "otp", value: "918273" }, '{"name":"otp","value":"[redacted]"}'],
    ["JSON within JSON", { a: '{"otp":"918273"}' }, String.raw`{"a":"{\"otp\":\"[redacted]\"}"}`],
  ])("P-04 of a text that is JSON, by %s", (_, value, expected) => {
    expect(ofText(JSON.stringify(value))).toBe(expected);
    expect(redactWhole(JSON.stringify(value), redactor)).toBe(expected);
  });

  it("P-04 leaves what stands around it and what is harmless as it is", () => {
    const text =
      'I say:\n```json\n{ "password": null,\n  "a": [1.5, "\\u00e9"] }\n```\nand {name}.';
    expect(ofText(text)).toBe(text);
    expect(ofText(`token=abc1 ${text}`)).toBe(`token=[redacted] ${text}`);
  });

  it.each([
    ["a comment", `{"a":1, // ${TOKEN}\n}`],
    ["a name that comes twice", `{"a":{"otp":"918273"},"a":1}`],
    ["a name that is dropped", `{"a":1,"__proto__":{"otp":"918273"}}`],
    [
      "an escape",
      `{"a":"${[...TOKEN].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"}`,
    ],
    ["a secret that is an object itself", 'say {"id":"the-first","no":"the-second"} now'],
    ["a string of a call", JSON.stringify({ name: "x", input: '{"otp":"918273",}' })],
  ])("P-04 holds nothing that was not read: %s", (_, text) => {
    expect(ofText(text)).not.toMatch(/ghp_|\\u0067|918273|the-/);
  });

  it("P-04 fields of a secret name are hidden, whatever they hold", () => {
    expect(redactFields({ token: '{"a":"b"}' }, redactor)).toEqual({ token: "[redacted]" });
  });

  it("P-04 bears what is no plain data", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    const broken = {
      get a() {
        throw new Error("no");
      },
    };
    let wide: unknown = "{}";
    for (let i = 0; i < 14; i++) wide = Array.from({ length: 14 }, () => wide);
    const result = redactFields({ cyclic, broken, wide, map: new Map([["otp", "1"]]) }, redactor);
    expect(JSON.stringify(result).length).toBeLessThan(1_000_000);
    expect(result).toMatchObject({ broken: { a: "[unreadable]" }, map: { otp: "[redacted]" } });
  });

  const secret = fc.constantFrom(
    TOKEN,
    "hunter-two",
    "sk-proj-aaaabbbbccccdddd",
    "xoxb-12345678-ab",
  );
  const around = fc.string({
    unit: fc.constantFrom("\n", "\t", '"', "\\", "{", "}", ":", " ", "a."),
  });

  /** Somewhere in a value, as a text, under a name, in JSON within JSON. */
  const { value: hiding } = fc.letrec<{ value: unknown; texts: string }>((tie) => ({
    texts: fc.oneof(
      { maxDepth: 2 },
      fc.tuple(around, secret, around).map((parts) => parts.join("")),
      tie("value").map((value) => JSON.stringify(value)),
    ),
    value: fc.oneof(
      fc.dictionary(fc.constantFrom("a", "b c", "otp", "token", "name", "value"), tie("texts"), {
        minKeys: 1,
      }),
      fc.array(tie("texts"), { minLength: 1, maxLength: 3 }).map((list) => ({ list })),
    ),
  }));

  it("P-04 P-03 no secret is in the record, wherever it was put, and once is enough", () => {
    fc.assert(
      fc.property(hiding, around, (value, prose) => {
        const text = `${prose.replaceAll("{", "")} ${JSON.stringify(value)}`;
        const once = redactFields({ text, value }, redactor);
        expect(JSON.stringify(once)).not.toMatch(/ghp_|hunter-two|sk-proj|xoxb/);
        expect(redactFields(once, redactor)).toEqual(once);
        // Both are the same for whoever reads them.
        const { text: said, value: kept } = once as { text: string; value: unknown };
        expect(readJson(said)).toEqual(kept);
      }),
      { numRuns: numRuns(1000) },
    );
  });
});
