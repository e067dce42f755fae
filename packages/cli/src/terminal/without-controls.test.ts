import fc from "fast-check";
import { expect, it } from "vitest";
import { withoutControls } from "./without-controls.ts";

it.each([
  ["\u001b]0;title\u0007a\u001b[31mb", "]0;titlea[31mb"],
  ["a\u202eb\u061cc\u2066", "abc"],
  ["a\r\nb\tc\rd\u009b", "a\nb\tcd"],
  ["Grüße, 日本語 👩‍💻 ❤️", "Grüße, 日本語 👩‍💻 ❤️"],
])("C-01 of %j goes %j into a pipe", (text, plain) => {
  expect(withoutControls(text)).toBe(plain);
});

it("C-01 nothing that a terminal obeys is left", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(withoutControls(text).replaceAll(/[\n\t]/g, "")).not.toMatch(
        /[\p{Cc}\p{Bidi_Control}]/u,
      );
    }),
  );
});
