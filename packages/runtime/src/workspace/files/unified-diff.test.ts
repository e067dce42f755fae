import fc from "fast-check";
import { expect, it } from "vitest";
import { lineEdits } from "./line-edits.ts";
import { unifiedDiff } from "./unified-diff.ts";

it("X-10 shows a change with three lines around it", () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  expect(unifiedDiff("a.txt", before, before.replace("5\n", "five\nmore\n"))).toBe(
    "--- a/a.txt\n+++ b/a.txt\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+more\n 6\n 7\n 8\n",
  );
});

it("X-10 shows changes that are far apart one by one", () => {
  const lines = Array.from({ length: 30 }, (_, i) => `${i + 1}`);
  const changed = lines.with(1, "two").with(27, "end");
  const diff = unifiedDiff("a", `${lines.join("\n")}\n`, `${changed.join("\n")}\n`);
  expect(diff.match(/^@@ .* @@$/gm)).toEqual(["@@ -1,5 +1,5 @@", "@@ -25,6 +25,6 @@"]);
});

it.each([
  ["a new file", undefined, "a\n", "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n"],
  ["an emptied file", "a\nb\n", "", "--- a/f\n+++ b/f\n@@ -1,2 +0,0 @@\n-a\n-b\n"],
  [
    "a newline at the end",
    "a",
    "a\n",
    "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n",
  ],
  ["nothing", "a\n", "a\n", ""],
])("X-10 shows %s", (_, before, after, diff) => {
  expect(unifiedDiff("f", before, after)).toBe(diff);
});

it("X-10 the edits lead from one text to the other, by the fewest lines", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const edits = lineEdits(before, after);
      const without = (kind: string) =>
        edits.filter((edit) => edit.kind !== kind).map(({ line }) => line);
      expect(without("added")).toEqual(before);
      expect(without("removed")).toEqual(after);
      const same = edits.filter(({ kind }) => kind === "same").length;
      expect(same).toBe(longestCommon(before, after));
    }),
  );
});

it("X-10 takes texts that have nothing in common for one replaced by the other", () => {
  const before = Array.from({ length: 5000 }, (_, i) => `old ${i}`);
  const after = Array.from({ length: 5000 }, (_, i) => `new ${i}`);
  const edits = lineEdits(before, after);
  expect(edits.slice(0, 5000).every(({ kind }) => kind === "removed")).toBe(true);
  expect(edits).toHaveLength(10_000);
});

function longestCommon(a: readonly string[], b: readonly string[]): number {
  const [head, ...rest] = a;
  if (head === undefined || b.length === 0) return 0;
  const table = Array.from({ length: a.length + 1 }, () => Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i]![j] =
        a[i] === b[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
    }
  }
  return rest.length >= 0 ? table[0]![0]! : 0;
}
