import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  escapeHiddenInJson,
  escapeXml,
  plainLine,
  plural,
  quoteLine,
  stripHidden,
  truncate,
  truncateMiddle,
  visibleLine,
  visibleLines,
} from "./index.ts";

/** Defined by Unicode's own properties, not by our expression. */
const BY_DEFINITION =
  /^(?:\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|\p{Noncharacter_Code_Point}|[\ufff9-\ufffb])$/u;

function hiddenCharacters(): string[] {
  return Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code)).filter(
    (character) => BY_DEFINITION.test(character) && character !== "\n" && character !== "\t",
  );
}

describe("hidden characters", () => {
  it("F-08 every one is stripped, shown or escaped, whatever the function", () => {
    const wrong = hiddenCharacters().filter((character) => {
      const text = `a${character}b`;
      const isBreak = /[\r\u2028\u2029]/.test(character);
      return (
        stripHidden(text) !== (isBreak ? "a\nb" : "ab") ||
        !/^a ?b$/.test(plainLine(text)) ||
        !/^a\\u\{[0-9a-f]+\}b$/.test(visibleLine(text)) ||
        !/^a\\u\{[0-9a-f]+\}b$/.test(visibleLines(text)) ||
        !/^a(?:\\u[0-9a-f]{4}){1,2}b$/.test(escapeHiddenInJson(text))
      );
    });
    expect(wrong.map((character) => character.codePointAt(0)?.toString(16))).toEqual([]);
  });

  it("F-08 every other character stays as it is", () => {
    const wrong = [];
    for (let code = 0; code <= 0x10_ffff; code++) {
      const character = String.fromCodePoint(code);
      if (BY_DEFINITION.test(character)) continue;
      if (stripHidden(`a${character}b`) !== `a${character}b`) wrong.push(code.toString(16));
      if (visibleLine(`a${character}b`) !== `a${character}b`) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  it.each(["❤️ 👩‍💻 1️⃣ ⚠️", "👩🏽‍🚀", "می‌خواهم", "क्‍ष", "用于合并文件。", "Ünïcödé «x» – …"])(
    "F-08 %j is seen, and stays",
    (text) => {
      expect(stripHidden(text)).toBe(text);
      expect(plainLine(text)).toBe(text);
      expect(visibleLine(text)).toBe(text);
    },
  );

  it.each([
    ["a\u200db", "ab"],
    ["a\u061c\u200d\u061cb", "ab"],
    ["p\u200cd\u200cf", "pdf"],
    ["1\ufe0f2", "12"],
    ["文\u{e0100}字", "文字"],
    ["😀\u200b\u200d😀", "😀😀"],
    ["a\ufe0f\u200d😀", "a😀"],
    ["\ufeffa", "a"],
  ])("F-08 a joiner or selector that joins nothing is stripped from %j", (text, expected) => {
    expect(stripHidden(text)).toBe(expected);
  });

  it("F-08 stripping again changes nothing", () => {
    const unit = fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
      fc.constantFrom(
        "\r",
        "\n",
        "\u200d",
        "\ufe0f",
        "😀",
        "🏽",
        "ک",
        "क",
        "1",
        "\u20e3",
        "\u{E0041}",
      ),
    );
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const once = stripHidden(units.join(""));
        expect(stripHidden(once)).toBe(once);
        const line = plainLine(units.join(""));
        expect(plainLine(line)).toBe(line);
        expect(line).not.toMatch(/[^\S ]| {2}|^ | $|\p{Cs}/u);
      }),
    );
  });

  it("F-08 a megabyte is no trouble", () => {
    for (const text of ["\u200d".repeat(1e6), "😀\u200d".repeat(5e5), "\u200b< ".repeat(3e5)]) {
      const started = performance.now();
      stripHidden(text);
      plainLine(text);
      expect(performance.now() - started).toBeLessThan(10_000);
    }
  });
});

describe("plainLine", () => {
  it.each([
    ["plain text", "plain text"],
    [" a\n\n\tb\u0007c\u009b ", "a b c"],
    ["a\u2028b\u2029c\u00a0d\u3000e", "a b c d e"],
    ["a\u202Eb\u{E0041}c\u2066", "abc"],
    ["half \ud83d and \ude00 whole 😀", "half and whole 😀"],
    ["a  b", "a b"],
    ["", ""],
  ])("F-08 %j is %j", (text, expected) => {
    expect(plainLine(text)).toBe(expected);
  });
});

describe("text for people", () => {
  it.each([
    ["an escape sequence", "\u001b[31mred\u001b[0m", "\\u{1b}[31mred\\u{1b}[0m"],
    ["an 8-bit escape sequence", "\u009b31m", "\\u{9b}31m"],
    ["newlines, which could forge a line", "a\r\nb\tc", "a\\u{d}\\u{a}b\\u{9}c"],
    ["bidi controls", "x\u202eevil\u2069", "x\\u{202e}evil\\u{2069}"],
    ["tag characters", "a\u{e0041}\u{e007f}b", "a\\u{e0041}\\u{e007f}b"],
    ["zero-width characters", "ad\u200bmin\ufeff\u2060", "ad\\u{200b}min\\u{feff}\\u{2060}"],
    ["variation selectors after letters", "a\ufe0f\u{e0101}", "a\\u{fe0f}\\u{e0101}"],
    ["line separators", "a\u2028b\u2029", "a\\u{2028}b\\u{2029}"],
    ["lone surrogates", "\ud800x\udc00", "\\u{d800}x\\u{dc00}"],
    ["a joiner between letters", "a\u200db", "a\\u{200d}b"],
  ])("F-06 shows %s", (_, text, shown) => {
    expect(visibleLine(text)).toBe(shown);
  });

  it.each(["plain ASCII ~", "Grüße, 日本語, עברית", "👩‍💻 ❤️ 👍🏽 1️⃣ 🇩🇪", "❤️‍🔥", "\\u{202e}"])(
    "F-06 leaves %j alone",
    (text) => {
      expect(visibleLine(text)).toBe(text);
    },
  );

  it("C-01 shows what is hidden", () => {
    expect(visibleLine("a\u202Eb\nc")).toBe("a\\u{202e}b\\u{a}c");
    expect(visibleLines("a\u001b[2J\r\n\tb")).toBe("a\\u{1b}[2J\n\tb");
    expect(quoteLine("  a\n\n b\u0000  ")).toBe("a b\\u{0}");
    expect(quoteLine("x".repeat(9000), 10)).toBe("xxxxxxxxx…");
    expect(JSON.parse(escapeHiddenInJson('"a\u2028\u{E0041}b"'))).toBe("a\u2028\u{E0041}b");
  });

  it("C-01 is cut between characters", () => {
    expect(truncate("abc", 3)).toBe("abc");
    expect(truncate("abcd", 3)).toBe("ab…");
    expect(truncate("a😀bc", 3)).toBe("a…");
    expect(truncateMiddle("abcdefgh", 4)).toBe("ab\n… 4 characters left out …\ngh");
    expect(truncateMiddle("a😀bcdef😀", 4)).toBe("a\n… 7 characters left out …\n😀");
    expect(truncateMiddle("abcd", 4)).toBe("abcd");
    expect(truncateMiddle("abcde", 4)).toBe("ab\n… 1 character left out …\nde");
    expect(truncateMiddle("abcdefgh", 4, (left) => ` (${left}) `)).toBe("ab (4) gh");
  });

  it("C-01 counts as people do", () => {
    expect([0, 1, 2, 1200].map((count) => plural(count, "file"))).toEqual([
      "0 files",
      "1 file",
      "2 files",
      "1,200 files",
    ]);
    expect(plural(2, "entry", "entries")).toBe("2 entries");
    expect(escapeXml('<a b="c">&')).toBe("&lt;a b=&quot;c&quot;&gt;&amp;");
  });
});
