import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../../test/support/suite.ts";
import { lineDiff } from "./line-diff.ts";

/** The text after the changes, made from the text before and the diff alone. */
function applied(before: string, diff: string): string {
  const old = before.split("\n");
  const result: string[] = [];
  let next = 0;
  for (const line of diff === "" ? [] : diff.split("\n")) {
    const start = /^@@ -(\d+) \+\d+ @@$/.exec(line)?.[1];
    if (start !== undefined) {
      result.push(...old.slice(next, Number(start) - 1));
      next = Number(start) - 1;
    } else if (line.startsWith("+")) result.push(line.slice(1));
    else {
      if (line.slice(1) !== old[next]) throw new Error(`${line} is not line ${next + 1}`);
      if (line.startsWith(" ")) result.push(line.slice(1));
      next++;
    }
  }
  return [...result, ...old.slice(next)].join("\n");
}

const text = fc
  .array(fc.constantFrom("a", "b", "c", "", "x y"), { maxLength: 30 })
  .map((lines) => lines.join("\n"));

describe("line diff", () => {
  it("P-02 the diff leads from one text to the other", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = lineDiff(before, after);
        expect(diff.isCut).toBe(false);
        expect(applied(before, diff.text)).toBe(after);
      }),
      { numRuns: numRuns(1000) },
    );
  });

  it("P-02 shows what changed with a few lines around it", () => {
    const before = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
    const after = before.with(9, "other");
    expect(lineDiff(before.join("\n"), after.join("\n")).text.split("\n")).toEqual([
      "@@ -7 +7 @@",
      " line 7",
      " line 8",
      " line 9",
      "-line 10",
      "+other",
      " line 11",
      " line 12",
      " line 13",
    ]);
  });

  it("P-02 nothing changed is nothing shown", () => {
    expect(lineDiff("a\nb", "a\nb")).toEqual({ text: "", isCut: false });
  });

  it("P-02 the shortest way is found", () => {
    const lines = lineDiff("a\nb\nc\na\nb\nb\na", "c\nb\na\nb\na\nc").text.split("\n");
    expect(lines.filter((line) => /^[-+]/.test(line))).toHaveLength(5);
  });

  it("P-02 more changes than can be shown are counted, not hidden", () => {
    const before = Array.from({ length: 3000 }, (_, index) => `old ${index}`).join("\n");
    const after = Array.from({ length: 3000 }, (_, index) => `new ${index}`).join("\n");
    const { text, isCut } = lineDiff(before, after);
    expect(isCut).toBe(true);
    expect(text.split("\n")).toHaveLength(201);
    expect(text).toMatch(/… 5801 more lines of changes are not shown$/);
    expect(lineDiff("a", "b".repeat(50_000)).isCut).toBe(true);
  });
});
