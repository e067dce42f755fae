import { skillEntry } from "@modelcontextprotocol/server/ext/skills";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../../test/support/suite.ts";
import { isPlainHead, verbatimFrontmatter } from "../index.ts";

const skill = (more: string) =>
  `---\nname: pdf\ndescription: Joins. Use it.\n${more}\n---\n# Goal\n`;

describe("isPlainHead", () => {
  it.each([
    "license: MIT",
    'license: "1: #x"',
    "license: Read-only (see a/b), or http://x.example/y",
    "metadata:\n  author: Ann\n  version: '1.0'",
  ])("H-02 F-01 %j is plain", (more) => {
    expect(isPlainHead(skill(more))).toBe(true);
  });

  it.each([
    "metadata:\n  version: 1.0",
    "metadata:\n  done: True",
    "metadata:\n  none: null ",
    "metadata: {a: b}",
    "license: a # b",
    "license: a: b",
    "license: a:",
    "license: |\n  x",
    'license: "a\\n"',
    "license: ünser",
    "license: a\r",
    "null: x",
    "",
  ])("H-02 F-01 %j is looked at closely", (more) => {
    expect(isPlainHead(skill(more))).toBe(false);
  });

  it("H-02 F-01 what is plain is read alike by us and by clients", async () => {
    const word = fc.constantFrom(..."aTx1.-: #\"'[]{}&*!|>%@`,~\\?=", "true", "null", ": ", " #");
    const value = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(""));
    const quoted = fc.constantFrom(
      (text: string) => text,
      (text: string) => `"${text}"`,
      (text: string) => `'${text}'`,
    );
    const line = fc.tuple(fc.constantFrom("license", "x", "  a", "  b"), quoted, value);
    let plain = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 3 }), async (lines) => {
        const text = skill(
          ["metadata:", ...lines.map(([key, quote, one]) => `${key}: ${quote(one)}`)].join("\n"),
        );
        const parts = verbatimFrontmatter(text);
        if (!isPlainHead(text) || parts === undefined) return;
        plain++;
        const given = await skillEntry("pdf", { "SKILL.md": text }).catch(() => undefined);
        expect(given?.frontmatter).toEqual(parts.frontmatter);
      }),
      { numRuns: numRuns(2000) },
    );
    expect(plain).toBeGreaterThan(numRuns(2000) / 40);
  });
});
