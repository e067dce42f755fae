import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyUnits } from "../../../../test/arbitraries/hostile-text.ts";
import {
  firstHiddenLine,
  hidesSomething,
  showCommand,
  visibleLine,
  visibleLines,
} from "./index.ts";

const OBEYED = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

describe("visible text", () => {
  it.each([
    ["an escape sequence", "\u001b[2K", "\\u{1b}[2K"],
    ["a bidi override", "a\u202eb", "a\\u{202e}b"],
    ["a tag", "\u{e0041}", "\\u{e0041}"],
    ["a zero-width space", "r\u200bm", "r\\u{200b}m"],
    ["a lone surrogate", "\ud800", "\\u{d800}"],
    ["a space that is none", "a\u00a0b\u3000c", "a\\u{a0}b\\u{3000}c"],
    ["an empty braille cell", "\u2800", "\\u{2800}"],
    ["a private character", "\ue000", "\\u{e000}"],
    ["a selector on a digit", "1\ufe0f", "1\\u{fe0f}"],
    ["blanks that push the rest away", `a${" ".repeat(80)}b`, "a\\u{20}×80b"],
  ])("P-02 shows %s", (_, text, shown) => {
    expect(visibleLine(text)).toBe(shown);
    expect(visibleLines(text)).toBe(shown);
    expect(hidesSomething(text)).toBe(true);
  });

  it("P-02 a carriage return does not overwrite a line", () => {
    expect(visibleLine("rm\rls")).toBe("rm\\u{d}ls");
    expect(visibleLines("rm\rls\n")).toBe("rm\\u{d}ls\n");
    expect(firstHiddenLine("rm\rls\n")).toBe(1);
  });

  it("P-02 ordinary text stays, emoji included", () => {
    const text = "grep -n 'Grüße' 日本語 👩‍💻 ❤️";
    expect(visibleLine(text)).toBe(text);
    expect(hidesSomething(`${text}\n\tmore`)).toBe(false);
  });

  it("P-02 nothing that a terminal obeys is left in a line", () => {
    fc.assert(
      fc.property(anyUnits, (text) => {
        expect(visibleLine(text).replaceAll(/\u200d|\ufe0e|\ufe0f/g, "")).not.toMatch(OBEYED);
      }),
    );
  });

  it("P-02 letters from right to left cannot reorder a command", () => {
    expect(showCommand(["rm", "א1"]).text).toBe('rm "\\u{5d0}1"');
  });

  it("P-02 two commands that differ are never shown alike", () => {
    const argument = fc.oneof(
      anyUnits,
      fc.constantFrom("", " ", "a b", '"', "\\u{202e}", "\u202e"),
    );
    const command = fc.array(argument, { maxLength: 4 });
    fc.assert(
      fc.property(command, command, (a, b) => {
        fc.pre(JSON.stringify(a) !== JSON.stringify(b));
        expect(showCommand(a).text).not.toBe(showCommand(b).text);
      }),
    );
    expect(showCommand(["\u202e"]).text).not.toBe(showCommand(["\\u{202e}"]).text);
    expect(showCommand(["a b"]).text).not.toBe(showCommand(["a", "b"]).text);
  });

  it("P-02 finds the line in which something is hidden", () => {
    expect(firstHiddenLine("\ufeffa\r\nb\r\n\tc\r\n")).toBeUndefined();
    expect(firstHiddenLine("a\nb\u202e\n")).toBe(2);
    expect(firstHiddenLine(`a\n\n${"\t".repeat(70)}evil()\u202e`)).toBe(3);
    expect(firstHiddenLine("a\ufeff")).toBe(1);
  });
});
