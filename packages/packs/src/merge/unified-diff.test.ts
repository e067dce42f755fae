import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { unifiedDiff } from "./unified-diff.ts";

it.each([
  [
    "a change",
    "1\n2\n3\n4\n5\n6\n",
    "1\n2\n3\n4\nV\n6\n",
    "@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-5\n+V\n 6\n",
  ],
  ["a missing newline", "a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"],
  ["an emptied file", "a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"],
])("K-03 shows %s", (_, before, after, expected) => {
  expect(unifiedDiff("x.md", before, after)).toBe(`--- a/x.md\n+++ b/x.md\n${expected}`);
});

it("K-03 names a file that is not there", () => {
  const labels = { before: "yours", after: "update" };
  expect(unifiedDiff("x", undefined, "a\n", labels)).toBe(
    "--- /dev/null\n+++ update/x\n@@ -0,0 +1 @@\n+a\n",
  );
  expect(unifiedDiff("x", "a\n", undefined, labels)).toContain("--- yours/x\n+++ /dev/null\n");
});

it("K-03 what it shows can be applied by patch", () => {
  const texts = fc
    .array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 })
    .map((lines) => lines.map((line) => `${line}\n`).join(""));
  const folder = temporaryFolder();
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      fc.pre(before !== after && before !== "" && after !== "");
      const file = join(folder, "x");
      execFileSync("tee", [file], { input: before, stdio: ["pipe", "ignore", "inherit"] });
      const input = unifiedDiff("x", before, after);
      const applied = spawnSync("git", ["apply", "--unsafe-paths", "-p1", "-"], {
        cwd: folder,
        input,
      });
      expect(applied.stderr.toString()).toBe("");
      expect(execFileSync("cat", [file], { encoding: "utf8" })).toBe(after);
    }),
    { numRuns: 40 },
  );
});

it("K-05 shows what a terminal would obey or nobody would see, and is bounded", () => {
  const hostile = "a\u001b[2J\u202eb\u200bc\r\n\tok\n\u{e0041}\ud800\n";
  const diff = unifiedDiff("x\u001b]0;y\u0007", "", hostile);
  // oxlint-disable-next-line no-control-regex -- none may reach a terminal
  expect(diff).not.toMatch(/(?![\n\t])[\u0000-\u001f\u007f-\u009f\u202e\u200b\ud800]/);
  expect(diff).toContain("+a\\u{1b}[2J\\u{202e}b\\u{200b}c\\u{d}\n+\tok\n+\\u{e0041}\\u{d800}");
  const long = unifiedDiff("x", "", "line\n".repeat(100_000));
  expect(long.split("\n").length).toBeLessThan(210);
  expect(long).toContain("… 99801 more lines");
  expect(unifiedDiff("x", "", "y".repeat(1_000_000)).length).toBeLessThan(1000);
  expect(unifiedDiff("x", "\n".repeat(60_000), "a\n".repeat(60_000)).length).toBeLessThan(1000);
});
