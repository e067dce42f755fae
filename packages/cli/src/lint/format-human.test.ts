import type { Diagnostic } from "@skillwright/core";
import { displayWidth } from "@skillwright/core/internal";
import fc from "fast-check";
import pc from "picocolors";
import { describe, expect, it } from "vitest";
import { formatHuman } from "./index.ts";

const FILE = "skills/pdf/SKILL.md";
const TEXT = `---
name: pdf-tool
description: Reads PDF files
metadata:
  author: someone
  version: 2
---

# PDF

Body text.
`;

const plain = { colors: pc.createColors(false), width: 80 };

function diagnostic(changes: Partial<Diagnostic> = {}): Diagnostic {
  return {
    code: "name-mismatch",
    severity: "error",
    message: "name is not the name of its directory",
    file: FILE,
    line: 2,
    column: 7,
    endLine: 2,
    endColumn: 15,
    ...changes,
  };
}

function format(text: string, ...diagnostics: Diagnostic[]): string {
  return formatHuman([{ file: FILE, text, diagnostics }], plain);
}

describe("formatHuman", () => {
  it("F-06 shows file, finding, place, source, hint and that it can be fixed", () => {
    const found = diagnostic({
      hint: "Call it pdf, or rename the directory",
      fix: [{ start: 10, end: 18, text: "pdf" }],
    });
    expect(format(TEXT, found)).toBe(
      `skills/pdf/SKILL.md

error[name-mismatch]: name is not the name of its directory
 --> skills/pdf/SKILL.md:2:7
  |
2 | name: pdf-tool
  |       ^~~~~~~~
  = hint: Call it pdf, or rename the directory
  = fixable with --fix`,
    );
  });

  it("F-06 groups by file, in the order given, and leaves out clean files", () => {
    const files = [
      { file: "a/SKILL.md", text: "", diagnostics: [] },
      {
        file: "b/SKILL.md",
        text: "one\ntwo\n",
        diagnostics: [
          diagnostic({ file: "b/SKILL.md", line: 1, column: 1, endLine: 1, endColumn: 4 }),
          diagnostic({ file: "b/SKILL.md", severity: "warning", column: 1, endColumn: 2 }),
        ],
      },
      {
        file: "c/SKILL.md",
        text: "",
        diagnostics: [diagnostic({ file: "c/SKILL.md", severity: "info", line: 1, column: 1 })],
      },
    ];
    expect(formatHuman(files, plain)).toBe(
      `b/SKILL.md

error[name-mismatch]: name is not the name of its directory
 --> b/SKILL.md:1:1
  |
1 | one
  | ^~~

warning[name-mismatch]: name is not the name of its directory
 --> b/SKILL.md:2:1
  |
2 | two
  | ^

c/SKILL.md

info[name-mismatch]: name is not the name of its directory
 --> c/SKILL.md:1:1`,
    );
    expect(formatHuman([], plain)).toBe("");
  });

  it("F-06 shows the parent of an indented line", () => {
    const found = diagnostic({ line: 6, column: 12, endLine: 6, endColumn: 13 });
    expect(format(TEXT, found)).toContain(
      `
4 | metadata:
...
6 |   version: 2
  |            ^`,
    );
  });

  it("F-06 shows the neighbours of a line that says nothing itself", () => {
    const found = diagnostic({ line: 10, column: 1, endLine: 10, endColumn: 1 });
    expect(format(TEXT, found)).toContain(
      `
  --> skills/pdf/SKILL.md:10:1
   |
 9 | # PDF
10 |
   | ^
11 | Body text.`,
    );
  });

  it("F-06 shows start and end of a span of several lines", () => {
    const found = diagnostic({ line: 3, column: 14, endLine: 6, endColumn: 10 });
    expect(format(TEXT, found)).toContain(
      `
3 | description: Reads PDF files
  |              ^~~~~~~~~~~~~~~
4 | metadata:
  | ~~~~~~~~~
...
6 |   version: 2
  |   ~~~~~~~`,
    );
  });

  it("F-06 takes a span that ends where the next line starts for one line", () => {
    const found = diagnostic({ line: 2, column: 1, endLine: 3, endColumn: 1 });
    expect(format(TEXT, found)).toMatch(/2 \| name: pdf-tool\n {2}\| \^~{13}$/);
  });

  it("F-06 aligns under wide characters, tabs and escaped ones", () => {
    const found = diagnostic({ line: 1, column: 6, endLine: 1, endColumn: 8 });
    expect(format("名前:\t👍日本\u202e", found)).toContain(
      `
1 | 名前:    👍日本\\u{202e}
  |          ^~`,
    );
    const after = diagnostic({ line: 1, column: 7, endLine: 1, endColumn: 9 });
    expect(format("説明: 日本語 \u202e", after)).toContain(
      `
1 | 説明: 日本語 \\u{202e}
  |           ^~~`,
    );
  });

  it("F-06 points past the end of a line that ends too early", () => {
    const found = diagnostic({ line: 2, column: 99, endLine: 2, endColumn: 120 });
    expect(format(TEXT, found)).toContain(`2 | name: pdf-tool\n  |               ^`);
  });

  it.each([
    ["beyond the text", TEXT, diagnostic({ line: 400, endLine: 400 })],
    ["before the text", TEXT, diagnostic({ line: 0, endLine: 0 })],
    ["in a file without text", "", diagnostic()],
    ["in another file of the skill", TEXT, diagnostic({ file: "skills/pdf/run.sh" })],
  ])("F-06 prints no source for a finding %s", (_, text, found) => {
    expect(
      format(text, { ...found, hint: "Look" })
        .split("\n")
        .slice(2),
    ).toEqual([
      "error[name-mismatch]: name is not the name of its directory",
      ` --> ${found.file}:${found.line}:7`,
      "  = hint: Look",
    ]);
  });

  it("F-06 shows hostile text without obeying it", () => {
    const hostile = "\u001b[31m\u001b]0;x\u0007\nerror[forged]: \u202egnp.\u{e0041}";
    const output = formatHuman(
      [
        {
          file: `${hostile}/SKILL.md`,
          text: `name: ${hostile}`,
          diagnostics: [
            diagnostic({
              file: `${hostile}/SKILL.md`,
              code: hostile,
              message: hostile,
              hint: hostile,
              line: 1,
              endLine: 1,
            }),
          ],
        },
      ],
      plain,
    );
    // oxlint-disable-next-line no-control-regex
    expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u{e0041}]/u);
    expect(output).not.toMatch(/^error\[forged/m);
    expect(output).toContain("\\u{1b}[31m");
    expect(output).toContain("\\u{202e}gnp.\\u{e0041}");
  });

  it("F-06 cuts a line of a megabyte to the width", () => {
    const text = `${"x".repeat(700_000)}NEEDLE${"y".repeat(300_000)}`;
    const found = diagnostic({ line: 1, column: 700_001, endLine: 1, endColumn: 700_007 });
    const lines = format(text, found).split("\n");
    const [source = "", underline = ""] = lines.slice(-2);
    expect(displayWidth(source)).toBe(80);
    expect(underline.indexOf("^~~~~~")).toBe(source.indexOf("NEEDLE"));
  });

  it("F-06 never throws and never exceeds the width with source, whatever the position", () => {
    const position = fc.integer({ min: -2, max: 30 });
    const lineText = fc.string({ unit: "grapheme", maxLength: 120 });
    fc.assert(
      fc.property(
        fc.array(lineText, { maxLength: 8 }),
        fc.record({ line: position, column: position, endLine: position, endColumn: position }),
        (lines, span) => {
          const output = formatHuman(
            [{ file: FILE, text: lines.join("\n"), diagnostics: [diagnostic(span)] }],
            { ...plain, width: 60 },
          );
          for (const line of output.split("\n").slice(4)) {
            expect(displayWidth(line)).toBeLessThanOrEqual(60);
          }
        },
      ),
    );
  });

  it("F-06 colours by severity and only when asked", () => {
    const files = [{ file: FILE, text: TEXT, diagnostics: [diagnostic()] }];
    const colored = formatHuman(files, { colors: pc.createColors(true), width: 80 });
    expect(colored).toContain("\u001b[31m^~~~~~~~\u001b[39m");
    // oxlint-disable-next-line no-control-regex
    expect(colored.replaceAll(/\u001b\[\d+m/g, "")).toBe(formatHuman(files, plain));
  });
});
