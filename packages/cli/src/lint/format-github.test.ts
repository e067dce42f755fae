import { resolve } from "node:path";
import type { Diagnostic } from "@skillwright/core";
import { visibleLine } from "@skillwright/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeData, escapeProperty, formatGithub } from "./index.ts";

const CWD = resolve("/repo");

function diagnostic(changes: Partial<Diagnostic> = {}): Diagnostic {
  return {
    code: "name-mismatch",
    severity: "error",
    message: "name is not the name of its directory",
    file: resolve(CWD, "skills/pdf/SKILL.md"),
    line: 2,
    column: 7,
    endLine: 2,
    endColumn: 15,
    ...changes,
  };
}

function format(...diagnostics: Diagnostic[]): string {
  return formatGithub([{ file: "SKILL.md", text: "", diagnostics }], { cwd: CWD });
}

interface Command {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

/** As the runner reads a line: ActionCommand.TryParseV2 and its order of unescaping. */
function parseCommand(line: string): Command {
  const end = line.indexOf("::", 2);
  const [, name = "", list = ""] = /^::(\S+) (.*)$/su.exec(line.slice(0, end)) ?? [];
  const pairs = list.split(",").map((pair) => {
    const [key = "", ...value] = pair.split("=");
    return [key, unescapeProperty(value.join("="))];
  });
  return { name, properties: Object.fromEntries(pairs), data: unescapeData(line.slice(end + 2)) };
}

function unescapeData(text: string): string {
  return text.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%");
}

function unescapeProperty(text: string): string {
  return text
    .replaceAll("%0D", "\r")
    .replaceAll("%0A", "\n")
    .replaceAll("%3A", ":")
    .replaceAll("%2C", ",")
    .replaceAll("%25", "%");
}

const trickyText = fc
  .array(
    fc.oneof(
      fc.constantFrom("%", "25", "0A", "%0A", "%3A", "\r", "\n", ":", ",", "::error::", "="),
      fc.string({ unit: "grapheme", maxLength: 5 }),
    ),
  )
  .map((parts) => parts.join(""));

describe("formatGithub", () => {
  it("F-06 writes one command per finding", () => {
    expect(
      format(
        diagnostic({ hint: "Call it pdf" }),
        diagnostic({ severity: "warning" }),
        diagnostic({ severity: "info" }),
      ).split("\n"),
    ).toEqual([
      "::error file=skills/pdf/SKILL.md,line=2,col=7,endLine=2,endColumn=15,title=name-mismatch::name is not the name of its directory%0Ahint: Call it pdf",
      "::warning file=skills/pdf/SKILL.md,line=2,col=7,endLine=2,endColumn=15,title=name-mismatch::name is not the name of its directory",
      "::notice file=skills/pdf/SKILL.md,line=2,col=7,endLine=2,endColumn=15,title=name-mismatch::name is not the name of its directory",
    ]);
    expect(format()).toBe("");
  });

  it("F-06 leaves columns out of findings of several lines, as the runner would", () => {
    expect(format(diagnostic({ endLine: 4, endColumn: 3 }))).toContain(",line=2,endLine=4,title=");
    expect(format(diagnostic({ endLine: 4, endColumn: 1 }))).toContain(",line=2,endLine=3,title=");
  });

  it("F-06 takes relative paths as relative to the working directory", () => {
    expect(format(diagnostic({ file: "a/../b/SKILL.md" }))).toContain("file=b/SKILL.md,");
    expect(format(diagnostic({ file: "../x/SKILL.md" }))).toContain("file=../x/SKILL.md,");
  });

  it("F-06 lets neither message nor file name become a command", () => {
    const line = format(
      diagnostic({
        file: "a,line=9::b/SKILL.md",
        code: "x,y::z",
        message: "100%\n::error::forged\r\n%0A\u001b[31m\u202e",
      }),
    );
    expect(line).toBe(
      "::error file=a%2Cline=9%3A%3Ab/SKILL.md,line=2,col=7,endLine=2,endColumn=15,title=x%2Cy%3A%3Az::100%25%0A::error::forged\\u{d}%0A%250A\\u{1b}[31m\\u{202e}",
    );
  });

  it("F-06 escapes so that the runner gets back what was meant", () => {
    fc.assert(
      fc.property(trickyText, (text) => {
        expect(unescapeData(escapeData(text))).toBe(text);
        expect(unescapeProperty(escapeProperty(text))).toBe(text);
        expect(escapeData(text)).not.toMatch(/[\r\n]/u);
        expect(escapeProperty(text)).not.toMatch(/[\r\n:,]/u);
      }),
    );
  });

  it("F-06 writes one line that the runner reads back, whatever the texts", () => {
    fc.assert(
      fc.property(trickyText, trickyText, (message, code) => {
        const line = format(diagnostic({ message, code }));
        const { name, properties, data } = parseCommand(line);
        expect(line).not.toMatch(/[\r\n]/u);
        expect(name).toBe("error");
        expect(properties).toEqual({
          file: "skills/pdf/SKILL.md",
          line: "2",
          col: "7",
          endLine: "2",
          endColumn: "15",
          title: visibleLine(code),
        });
        expect(data).toBe(message.split("\n").map(visibleLine).join("\n"));
      }),
    );
  });
});
