import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { unifiedDiff } from "./diff.ts";

describe("unifiedDiff", () => {
  it("X-10 shows what changed, as diff -u does", async () => {
    expect(await unifiedDiff("a.txt", "a\nb\nc\n", "a\nB\nc\n")).toEqual({
      text: "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
      isCut: false,
    });
    expect((await unifiedDiff("n", undefined, "a")).text).toBe(
      "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n",
    );
    expect((await unifiedDiff("n", "a\n", undefined)).text).toBe(
      "--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
    );
    expect((await unifiedDiff("n", "same", "same")).text).toBe("");
  });

  it("X-10 for reading: hidden characters shown, long lines and long diffs cut", async () => {
    const { text, isCut } = await unifiedDiff("a\u202e", "", "x\u202ey\nlong line\nc\n", {
      maxLines: 3,
      maxLineLength: 6,
      labels: null,
    });
    expect(text).toBe("@@ -0…\n+x\\u{…\n+long…\n… 1 more line\n");
    expect(isCut).toBe(true);
  });

  it("X-10 takes bounded time for any two texts", async () => {
    const lines = (prefix: string) => Array.from({ length: 50_000 }, (_, i) => `${prefix}${i % 7}`);
    const [before, after] = [lines("a"), ["same", ...lines("b")]].map((all) => all.join("\n"));
    const started = performance.now();
    const { text } = await unifiedDiff("x", `first\n${before}`, `first\n${after}`);
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(text).toContain("@@ -2,50000 +2,50001 @@\n-a0\n");
  });

  it.skipIf(spawnSync("patch", ["--version"]).status !== 0)(
    "X-10 can be applied by patch (skipped without it)",
    async () => {
      const folder = temporaryFolder();
      const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "d\n"), { maxLength: 30 });
      await fc.assert(
        fc.asyncProperty(text, text, async (one, other) => {
          const [before, after] = [one.join(""), other.join("")];
          if (before === after) return;
          writeFileSync(join(folder, "f"), before);
          writeFileSync(join(folder, "diff"), (await unifiedDiff("f", before, after)).text);
          const { stdout } = spawnSync("patch", ["-s", "-o", "-", "f", "diff"], { cwd: folder });
          expect(stdout.toString()).toBe(after);
        }),
        { numRuns: 50 },
      );
    },
  );
});
