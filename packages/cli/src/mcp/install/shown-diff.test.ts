import { describe, expect, it } from "vitest";
import { shownDiff } from "../index.ts";

describe("shownDiff", () => {
  it("H-02 shows what goes and what comes, with lines around it", async () => {
    expect(await shownDiff("1\n2\n3\n4\nold\n5\n", "1\n2\n3\n4\nnew\n5\n")).toEqual([
      "@@ -2,5 +2,5 @@",
      " 2",
      " 3",
      " 4",
      "-old",
      "+new",
      " 5",
    ]);
    expect(await shownDiff("", "a\n")).toEqual(["@@ -0,0 +1 @@", "+a"]);
    expect(await shownDiff("a\na\n", "a\na\na\n")).toEqual(["@@ -1,2 +1,3 @@", " a", " a", "+a"]);
  });

  it("H-02 keeps tabs, and shows what a terminal would obey", async () => {
    expect(await shownDiff("", "\t\ta\u001b[2J\n")).toEqual([
      "@@ -0,0 +1 @@",
      String.raw`+${"\t\t"}a\u{1b}[2J`,
    ]);
  });

  it("H-02 of a long line shows only what is around the change", async () => {
    const others = `"a":{"env":{"KEY":"${"secret".repeat(10_000)}"}}`;
    const own = '"skillwright":{"command":"skillwright","args":["mcp"]}';
    const before = `{"mcpServers":{${others}},"rest":"${"more".repeat(10_000)}"}`;
    const after = `{"mcpServers":{${others},${own}},"rest":"${"more".repeat(10_000)}"}`;
    const [, gone = "", ...more] = await shownDiff(before, after);
    const [come = "", ...rest] = more.filter((line) => !line.startsWith("\\"));
    expect(rest).toEqual([]);
    expect(come).toContain(own);
    expect(gone.length).toBeLessThan(100);
    expect(come.length).toBeLessThan(100 + own.length);
    expect(come).toMatch(/^\+….*…$/);
  });

  it("H-02 of lines that stay shows their beginning", async () => {
    const key = `"KEY": "${"k".repeat(300)}"`;
    const shown = await shownDiff(`${key}\nold\n`, `${key}\nnew\n`);
    expect(shown).toEqual(["@@ -1,2 +1,2 @@", ` ${key.slice(0, 39)}…`, "-old", "+new"]);
  });
});
