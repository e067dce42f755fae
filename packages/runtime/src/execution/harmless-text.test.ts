import fc from "fast-check";
import { expect, it } from "vitest";
import { harmlessText } from "./index.ts";

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Bidi_Control}/u;

it.each([
  ["plain\n\ttext ü 漢 👍🏽", "plain\n\ttext ü 漢 👍🏽"],
  ["\u001b[1;31mred\u001b[0m", "red"],
  ["\u001b]0;title\u0007", "␛]0;title␇"],
  ["a\r\nb\rc", "a\nb␍c"],
  ["\u009b31m", "\uFFFD31m"],
  ["\u007f\u0008", "␡␈"],
  ["\u202eabc", "\uFFFDabc"],
  ["\u061cabc\u200f\u2067", "\uFFFDabc\uFFFD\uFFFD"],
])("X-05 %j becomes %j", (text, harmless) => {
  expect(harmlessText(text)).toBe(harmless);
});

it("X-05 nothing is left that a terminal obeys", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(harmlessText(text)).not.toMatch(OBEYED);
    }),
  );
});
