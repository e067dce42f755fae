import { describe, expect, it } from "vitest";
import type { Rule } from "../../internal/index.ts";
import { effectiveSeverity } from "../testing.ts";

const base = {
  code: "some-rule",
  severity: "warning",
  summary: "",
  explanation: "",
  example: { bad: "", good: "" },
} as const satisfies Rule;
const raised: Rule = { ...base, strict: "error" };
const hiding: Rule = { ...base, severity: "error", effect: "hidden" };
const skipping: Rule = { ...base, severity: "error", effect: "skipped" };

describe("effectiveSeverity", () => {
  it("F-06 is the rule's own, and in strict mode the strict one if there is one", () => {
    expect(effectiveSeverity(base, false, undefined)).toBe("warning");
    expect(effectiveSeverity(base, true, undefined)).toBe("warning");
    expect(effectiveSeverity(raised, false, undefined)).toBe("warning");
    expect(effectiveSeverity(raised, true, undefined)).toBe("error");
  });

  it("F-06 is what the settings say, in either mode", () => {
    for (const severity of ["error", "warning", "info", "off"] as const) {
      expect(effectiveSeverity(raised, false, { "some-rule": severity })).toBe(severity);
      expect(effectiveSeverity(raised, true, { "some-rule": severity })).toBe(severity);
      expect(effectiveSeverity(hiding, true, { "some-rule": severity })).toBe(severity);
    }
  });

  it("F-06 of a rule that skips the skill cannot be changed", () => {
    expect(effectiveSeverity(skipping, false, { "some-rule": "off" })).toBe("error");
    expect(effectiveSeverity(skipping, true, { "some-rule": "info" })).toBe("error");
  });

  it("F-06 ignores settings of other rules and of the prototype", () => {
    expect(effectiveSeverity(base, false, { other: "off" })).toBe("warning");
    expect(effectiveSeverity({ ...base, code: "toString" }, false, {})).toBe("warning");
  });
});
