import { stripHidden, visibleLine } from "@skillwright/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

/** Includes lone surrogates, which fast-check's own strings lack. */
const anyText = fc
  .array(fc.oneof(fc.nat(0xff), fc.integer({ min: 0x2000, max: 0x206f }), fc.nat(0x10ffff)))
  .map((codePoints) => String.fromCodePoint(...codePoints));

describe("visibleLine", () => {
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

  it("F-06 never lets a control or bidi character through", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(visibleLine(text)).not.toMatch(
          /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u{e0000}-\u{e0fff}]/u,
        );
      }),
    );
  });

  it("F-06 changes nothing twice", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = visibleLine(text);
        expect(visibleLine(once)).toBe(once);
      }),
    );
  });
});

describe("stripHidden", () => {
  it.each([
    ["\u001b]0;title\u0007a\u001b[31mb", "]0;titlea[31mb"],
    ["a\u202eb\u061cc\u2066", "abc"],
    ["a\r\nb\tc\rd\u009b", "a\nb\tc\nd"],
    ["Grüße, 日本語 👩‍💻 ❤️", "Grüße, 日本語 👩‍💻 ❤️"],
  ])("C-01 %j becomes %j", (text, plain) => {
    expect(stripHidden(text)).toBe(plain);
  });

  it("C-01 leaves nothing that a terminal obeys", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(stripHidden(text).replaceAll(/[\n\t]/g, "")).not.toMatch(
          /[\p{Cc}\p{Bidi_Control}]/u,
        );
      }),
    );
  });
});
