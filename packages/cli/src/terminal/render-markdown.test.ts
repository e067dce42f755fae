import fc from "fast-check";
import pc from "picocolors";
import { describe, expect, it } from "vitest";
import { displayWidth } from "@skillwright/core/internal";
import { renderMarkdown } from "./index.ts";

const shown = (text: string, width = 40) => renderMarkdown(text, { width }).join("\n");

describe("an answer on a terminal", () => {
  it("C-01 has headings and lists without marks, broken between words", () => {
    const text =
      "# Sales\nThe **north** sold most.\n\n- one two three four five six seven eight\n  - [x] inner\n1. first\n2. `second`";
    expect(shown(text, 30)).toBe(
      "Sales\n\nThe north sold most.\n\n• one two three four five six\n  seven eight\n  ☑ inner\n\n1. first\n2. second",
    );
    expect(shown("> quoted text that is long enough", 22)).toBe(
      "│ quoted text that is\n│ long enough",
    );
  });

  it("C-01 has tables with aligned columns, of Markdown and of CSV", () => {
    const table = "| region | sum |\n|---|---:|\n| North | 257.68 |\n| West | 57.92 |";
    const lines = "region     sum\n──────  ──────\nNorth   257.68\nWest     57.92";
    expect(shown(table)).toBe(lines);
    expect(shown("```csv\nregion,sum\nNorth,257.68\nWest,57.92\n```")).toBe(lines);
    expect(shown('```csv\na,b\n"x, ""y""",1\n```')).toBe('a       b\n──────  ─\nx, "y"  1');
  });

  it("C-01 keeps every line of code, so that it can be copied", () => {
    const long = "a command line that is longer than the terminal is wide";
    expect(shown(`\`\`\`sh\n# no heading\n${long}\n\`\`\``, 30)).toBe(`  # no heading\n  ${long}`);
  });

  it("C-01 shows where links lead, and HTML as text", () => {
    expect(shown("See [the docs](https://example.com/a).", 80)).toBe(
      "See the docs (https://example.com/a).",
    );
    expect(shown("a <b>bold</b> &lt;tag&gt;")).toBe("a <b>bold</b> <tag>");
  });

  it("C-01 breaks text without blanks", () => {
    expect(shown("表格已经写入文件并且检查过了没有错误", 20)).toBe(
      "表格已经写入文件并且\n检查过了没有错误",
    );
  });

  it("C-01 paints after breaking, so that colours change no line", () => {
    const colors = pc.createColors(true);
    const text =
      "# A **b** c\n\nSome *words* and `code` that **go over the end** of a line.\n\n| a | b |\n|-|-|\n| `x` | y |";
    const painted = renderMarkdown(text, { width: 24, colors });
    // oxlint-disable-next-line no-control-regex -- what colours are made of
    const bare = painted.map((line) => line.replace(/\u001B\[[\d;]*m/g, ""));
    expect(painted.join("")).not.toBe(bare.join(""));
    expect(bare).toEqual(renderMarkdown(text, { width: 24 }));
  });

  it("C-01 shows any nested text, within the width unless it is code", () => {
    expect(shown(`${"> ".repeat(20_000)}deep`)).toContain("deep");
    const unit = fc.constantFrom("a", "bc ", " ", "- ", "\n", "1. ", "|", "表", "*", "_", "> ");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 200 }), (text) => {
        const prose = renderMarkdown(text, { width: 30 }).filter((line) => !line.startsWith("  "));
        expect(Math.max(0, ...prose.map(displayWidth))).toBeLessThanOrEqual(40);
        const letters = (all: string) => [...all.matchAll(/[abc表]/gu)].length;
        expect(letters(renderMarkdown(text, { width: 30 }).join(""))).toBe(letters(text));
      }),
    );
  });
});
