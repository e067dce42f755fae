import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../test/support/suite.ts";
import { formatToolRules, parseToolRules, type ToolRule } from "../internal/index.ts";
import { parseToolRule } from "./testing.ts";

describe("parseToolRules", () => {
  it("F-05 separates by blanks, tabs, newlines and commas", () => {
    expect(
      parseToolRules(" Read,Write\tEdit\nGrep , Glob,,").rules.map(({ tool }) => tool),
    ).toEqual(["Read", "Write", "Edit", "Grep", "Glob"]);
  });

  it("F-05 does not separate inside parentheses, however deep", () => {
    expect(parseToolRules("Bash(a, (b c), d) Read")).toEqual({
      rules: [{ tool: "Bash", specifier: "a, (b c), d" }, { tool: "Read" }],
      unreadable: [],
    });
  });

  it("F-05 keeps a specifier to the letter", () => {
    expect(parseToolRules("Bash( git  log ) Read(~/a b/**)").rules).toEqual([
      { tool: "Bash", specifier: " git  log " },
      { tool: "Read", specifier: "~/a b/**" },
    ]);
  });

  it.each([
    ["Bash (git:*)", ["Bash (git:*)"]],
    ["Bash\t(git:*)", ["Bash\t(git:*)"]],
    ["Bash\n (git:*)", ["Bash\n (git:*)"]],
    ["Bash(git:*", ["Bash(git:*"]],
    ["Bash(git:*) (x)", ["Bash(git:*) (x)"]],
    ["Bash(git:*)(x)", ["Bash(git:*)(x)"]],
    ["Bash(git:*)Read", ["Bash(git:*)Read"]],
    ["Bash(git))", ["Bash(git))"]],
    ["()", ["()"]],
    ["Bash()", ["Bash()"]],
    [")(", [")("]],
  ])("F-05 grants nothing for %j", (text, unreadable) => {
    expect(parseToolRules(text)).toEqual({ rules: [], unreadable });
  });

  it("F-05 a parenthesis that is not closed takes the rest with it", () => {
    expect(parseToolRules("Read Bash(git:* Write, Edit")).toEqual({
      rules: [{ tool: "Read" }],
      unreadable: ["Bash(git:* Write, Edit"],
    });
  });

  it("F-05 is linear", () => {
    expect(parseToolRules("(".repeat(1_000_000)).rules).toEqual([]);
    expect(parseToolRules("Bash ".repeat(200_000)).rules).toHaveLength(200_000);
    expect(parseToolRules(`Bash${" ".repeat(1_000_000)}x`).rules).toHaveLength(2);
  });

  it("F-05 never throws, loses no text and never widens a rule", () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab(), \t\n*:-_."), maxLength: 40 });
    fc.assert(
      fc.property(text, (text) => {
        const { rules, unreadable } = parseToolRules(text);
        const kept = formatToolRules(rules) + unreadable.join("");
        expect(letters(kept)).toBe(letters(text));
        for (const { tool, specifier } of rules) {
          const written = specifier === undefined ? tool : `${tool}(${specifier})`;
          expect(text).toMatch(standingAlone(written));
        }
      }),
      { numRuns: numRuns(2000) },
    );
  });
});

describe("formatToolRules", () => {
  it("F-05 writes what parses to the same rules", () => {
    const specifier = fc.stringMatching(/^[a-z*: ,./~$"'-]{0,12}(\([a-z* ]{0,6}\))?[a-z*]$/);
    const tool = fc.stringMatching(/^[A-Za-z_][\w.-]{0,12}$/);
    const rule: fc.Arbitrary<ToolRule> = fc.record({ tool, specifier }, { requiredKeys: ["tool"] });
    fc.assert(
      fc.property(fc.array(rule), (rules) => {
        expect(parseToolRules(formatToolRules(rules))).toEqual({ rules, unreadable: [] });
      }),
    );
  });
});

describe("parseToolRule", () => {
  it("F-05 reads one rule and not two", () => {
    expect(parseToolRule("Bash(git:*)")).toEqual({ tool: "Bash", specifier: "git:*" });
    expect(parseToolRule("mcp__db__*")).toEqual({ tool: "mcp__db__*" });
    expect(parseToolRule("Read Write")).toBeUndefined();
    expect(parseToolRule("Read, Write")).toBeUndefined();
    expect(parseToolRule("")).toBeUndefined();
  });
});

function letters(text: string): string {
  return [...text.replace(/[\s,]/g, "")].toSorted().join("");
}

/** Between separators, and with no parenthesis after the blanks that would narrow it. */
function standingAlone(rule: string): RegExp {
  const escaped = rule.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?:^|[\\s,])${escaped}(?=,|\\s*$|\\s+[^\\s(])`);
}
