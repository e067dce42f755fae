import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withIgnoreRules } from "./index.ts";

const ADDED = "# Records of skillwright runs\n.agent/runs/";

describe("withIgnoreRules", () => {
  it.each([
    ["", `${ADDED}\n`],
    ["dist\n", `dist\n\n${ADDED}\n`],
    ["dist", `dist\n\n${ADDED}`],
    ["dist\r\n", `dist\r\n\r\n${ADDED.replace("\n", "\r\n")}\r\n`],
    ["dist\r\nlib", `dist\r\nlib\r\n\r\n${ADDED.replace("\n", "\r\n")}`],
  ])("C-01 %j becomes %j", (text, expected) => {
    expect(withIgnoreRules(text)).toBe(expected);
  });

  it.each([".agent/runs/", "/.agent/runs", " .agent/runs/** ", "x\r\n.agent/runs/*\r\n"])(
    "C-01 %j has the rule already",
    (text) => {
      expect(withIgnoreRules(text)).toBe(text);
    },
  );

  it("C-01 what was there stays, nothing is added twice, the end stays as it was", () => {
    const line = fc.constantFrom("", "dist", "*.log", "# note", ".agent/", "!.agent/runs/");
    const newline = fc.constantFrom("\n", "\r\n");
    fc.assert(
      fc.property(fc.array(line), newline, fc.boolean(), (lines, newline, isOpen) => {
        const text = lines.join(newline) + (isOpen ? "" : newline);
        const once = withIgnoreRules(text);
        expect(once.startsWith(text)).toBe(true);
        expect(withIgnoreRules(once)).toBe(once);
        expect(once.endsWith("\n")).toBe(text.endsWith("\n") || text.trim() === "");
        expect(text.includes("\r\n") && /[^\r]\n/.test(once)).toBe(false);
      }),
    );
  });
});
