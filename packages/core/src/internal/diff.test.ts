import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unifiedDiff } from "@skillwright/core/internal";
import fc from "fast-check";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

it.each([
  [
    "a change",
    "1\n2\n3\n4\n5\n6\n",
    "1\n2\n3\n4\nV\n6\n",
    "@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-5\n+V\n 6\n",
  ],
  ["a missing newline", "a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"],
  ["an emptied file", "a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"],
])("K-03 shows %s", async (_, before, after, expected) => {
  const { text } = await unifiedDiff("x.md", before, after);
  expect(text).toBe(`--- a/x.md\n+++ b/x.md\n${expected}`);
});

it("K-03 names a file that is not there", async () => {
  const labels = { before: "yours", after: "update" };
  const added = await unifiedDiff("x", undefined, "a\n", { labels });
  expect(added.text).toBe("--- /dev/null\n+++ update/x\n@@ -0,0 +1 @@\n+a\n");
  const removed = await unifiedDiff("x", "a\n", undefined, { labels });
  expect(removed.text).toContain("--- yours/x\n+++ /dev/null\n");
});

it("K-03 what it shows can be applied by git", async () => {
  const texts = fc
    .array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 })
    .map((lines) => lines.map((line) => `${line}\n`).join(""));
  const folder = temporaryFolder();
  const file = join(folder, "x");
  await fc.assert(
    fc.asyncProperty(texts, texts, async (before, after) => {
      fc.pre(before !== after && before !== "" && after !== "");
      writeFileSync(file, before);
      const { text: input } = await unifiedDiff("x", before, after);
      const options = { cwd: folder, input };
      const applied = spawnSync("git", ["apply", "--unsafe-paths", "-p1", "-"], options);
      expect(applied.stderr.toString()).toBe("");
      expect(readFileSync(file, "utf8")).toBe(after);
    }),
    { numRuns: 40 },
  );
});

it("K-05 for reading, it shows what is hidden and is bounded", async () => {
  const options = { maxLines: 200, maxLineLength: 400 };
  const hostile = "a\u001b[2J\u202eb\u200bc\r\n\tok\n\u{e0041}\ud800\n";
  const { text } = await unifiedDiff("x\u001b]0;y\u0007", "", hostile, options);
  // oxlint-disable-next-line no-control-regex -- none may reach a terminal
  expect(text).not.toMatch(/(?![\n\t])[\u0000-\u001f\u007f-\u009f\u202e\u200b\ud800]/);
  expect(text).toContain("+a\\u{1b}[2J\\u{202e}b\\u{200b}c\\u{d}\n+\tok\n+\\u{e0041}\\u{d800}");
  const long = await unifiedDiff("x", "", "line\n".repeat(100_000), options);
  expect(long.text.split("\n").length).toBeLessThan(210);
  expect(long.text).toContain("… 99,801 more lines");
  expect(long.isCut).toBe(true);
  const wide = await unifiedDiff("x", "", "y".repeat(1_000_000), options);
  expect(wide.text.length).toBeLessThan(1000);
  expect(wide.isCut).toBe(true);
  expect((await unifiedDiff("x", "", "y".repeat(399), options)).isCut).toBe(false);
  const replaced = [`\n`, "a\n"].map((line) => line.repeat(60_000));
  expect((await unifiedDiff("x", replaced[0], replaced[1], options)).text.length).toBeLessThan(
    1000,
  );
});

it("X-10 takes bounded time for any two texts", async () => {
  const lines = (prefix: string) => Array.from({ length: 50_000 }, (_, i) => `${prefix}${i % 7}`);
  const [before, after] = [lines("a"), ["same", ...lines("b")]].map((all) => all.join("\n"));
  const started = performance.now();
  const { text } = await unifiedDiff("x", `first\n${before}`, `first\n${after}`);
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(text).toContain("@@ -2,50000 +2,50001 @@\n-a0\n");
});
