import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../index.ts";
import type { TextEdit } from "../internal/index.ts";
import { applyFixes } from "./index.ts";

describe("applyFixes", () => {
  it("F-07 replaces, removes and puts in, wherever the edits come in the list", () => {
    const findings = [
      finding({ start: 6, end: 11, text: "all" }),
      finding({ start: 5, end: 6, text: "" }, { start: 0, end: 0, text: "> " }),
    ];
    expect(applyFixes("hello world!", findings)).toEqual({ text: "> helloall!", fixed: 2 });
    expect(applyFixes("hello world!", findings.toReversed())).toEqual({
      text: "> helloall!",
      fixed: 2,
    });
  });

  it("F-07 passes over findings without a fix", () => {
    expect(applyFixes("a", [finding(), { ...finding({ start: 0, end: 1, text: "b" }) }])).toEqual({
      text: "b",
      fixed: 1,
    });
    expect(applyFixes("a", [])).toEqual({ text: "a", fixed: 0 });
  });

  it("F-07 leaves a fix that overlaps an earlier one for the next round", () => {
    const findings = [
      finding({ start: 0, end: 3, text: "X" }),
      finding({ start: 2, end: 4, text: "Y" }),
      finding({ start: 3, end: 5, text: "Z" }),
    ];
    expect(applyFixes("abcde", findings)).toEqual({ text: "XZ", fixed: 2 });
  });

  it("F-07 applies all edits of a fix or none", () => {
    const findings = [
      finding({ start: 4, end: 5, text: "X" }),
      finding({ start: 0, end: 1, text: "Y" }, { start: 4, end: 5, text: "Y" }),
    ];
    expect(applyFixes("abcde", findings)).toEqual({ text: "abcdX", fixed: 1 });
  });

  it("F-07 puts in at the edges of what is replaced", () => {
    const quotes = finding({ start: 1, end: 1, text: '"' }, { start: 4, end: 4, text: '"' });
    const word = finding({ start: 1, end: 4, text: "XYZ" });
    expect(applyFixes("abcde", [quotes, word])).toEqual({ text: 'a"XYZ"e', fixed: 2 });
  });

  it("F-07 counts in normalised text and keeps the newlines and byte order mark of the file", () => {
    const findings = [
      finding({ start: 0, end: 1, text: "A" }, { start: 6, end: 6, text: "E" }),
      finding({ start: 3, end: 4, text: "\n" }),
    ];
    expect(applyFixes("\uFEFFa\r\nb\rc\n", findings).text).toBe("\uFEFFA\r\nb\nc\nE");
  });

  it("F-07 changes nothing outside of the edits", () => {
    const edits = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(edits, fc.string({ minLength: 31, maxLength: 40 }), (bounds, text) => {
        const sorted = bounds.toSorted((a, b) => a - b);
        const pairs = sorted.flatMap((start, i) =>
          i % 2 === 0 ? [[start, sorted[i + 1] ?? 31] as const] : [],
        );
        const findings = pairs.map(([start, end]) => finding({ start, end, text: "" }));
        const kept = [...text].filter(
          (_, i) => !pairs.some(([start, end]) => i >= start && i < end),
        );
        expect(applyFixes(text, findings)).toEqual({ text: kept.join(""), fixed: findings.length });
      }),
    );
  });
});

function finding(...fix: TextEdit[]): Diagnostic {
  return {
    code: "some-rule",
    severity: "warning",
    message: "",
    file: "SKILL.md",
    line: 1,
    column: 1,
    endLine: 1,
    endColumn: 1,
    ...(fix.length === 0 ? undefined : { fix }),
  };
}
