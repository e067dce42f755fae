import { describe, expect, it } from "vitest";
import { shownDiff } from "./shown-diff.ts";

describe("shownDiff", () => {
  it("H-02 shows what goes and what comes, with lines around it", () => {
    expect(shownDiff("1\n2\n3\n4\nold\n5\n", "1\n2\n3\n4\nnew\n5\n")).toEqual([
      "  2",
      "  3",
      "  4",
      "- old",
      "+ new",
      "  5",
    ]);
    expect(shownDiff("", "a\n")).toEqual(["+ a"]);
    expect(shownDiff("a\na\n", "a\na\na\n")).toEqual(["  a", "  a", "+ a"]);
  });

  it("H-02 keeps tabs, and shows what a terminal would obey", () => {
    expect(shownDiff("", "\t\ta\u001b[2J\n")).toEqual([String.raw`+ ${"\t\t"}a\u{1b}[2J`]);
  });

  it("H-02 of a long line shows only what is around the change", () => {
    const others = `"a":{"env":{"KEY":"${"secret".repeat(10_000)}"}}`;
    const own = '"skillwright":{"command":"skillwright","args":["mcp"]}';
    const before = `{"mcpServers":{${others}},"rest":"${"more".repeat(10_000)}"}`;
    const after = `{"mcpServers":{${others},${own}},"rest":"${"more".repeat(10_000)}"}`;
    const [gone = "", come = "", ...rest] = shownDiff(before, after);
    expect(rest).toEqual([]);
    expect(come).toContain(own);
    expect(gone.length).toBeLessThan(100);
    expect(come.length).toBeLessThan(100 + own.length);
    expect(come).toMatch(/^\+ ….*…$/);
  });

  it("H-02 of lines that stay shows their beginning", () => {
    const key = `"KEY": "${"k".repeat(300)}"`;
    const shown = shownDiff(`${key}\nold\n`, `${key}\nnew\n`);
    expect(shown).toEqual([`  ${key.slice(0, 40)}…`, "- old", "+ new"]);
  });
});
