import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeFrames } from "./escape-frames.ts";

const UNSEEN = ["\u200b", "\u00ad", "\u061c", "\u3164", "\ufe0f", "\ufe00", "\u034f", "\u{e0041}"];

describe("escapeFrames", () => {
  it.each([...UNSEEN, "\u200c", "\u200d", " ", "\n"])(
    "F-06 %j does not hide the end of a frame",
    (unseen) => {
      for (const text of [`<${unseen}/attached_file>`, `</${unseen}attached_file>`]) {
        expect(escapeFrames(text)).toMatch(/^&lt;/);
      }
    },
  );

  it("F-06 nothing unseen anywhere in a tag makes it another one", () => {
    const tag = fc.constantFrom("</attached_file>", "<skill_content x>", "</available_skills>");
    const unseen = fc.array(fc.tuple(fc.nat(16), fc.constantFrom(...UNSEEN, "\u200c", "\u200d")));
    fc.assert(
      fc.property(tag, unseen, (text, places) => {
        let hidden: string = text;
        for (const [at, character] of places) {
          hidden = hidden.slice(0, at + 1) + character + hidden.slice(at + 1);
        }
        fc.pre(!/\p{Cs}/u.test(hidden));
        expect(escapeFrames(hidden)).not.toMatch(/<[^>]*[a-z]/);
      }),
    );
  });

  it.each(["👩‍💻 ❤️ 1️⃣", "می\u200cخواهم", "क्\u200dष", "<attached_files>", "a < b", "<p>"])(
    "F-06 leaves %j as it is",
    (text) => {
      expect(escapeFrames(text)).toBe(text);
    },
  );

  it("F-06 takes out what nobody sees", () => {
    expect(escapeFrames("a\u200bb\u00adc\u061cd\u3164e\ufe0ff\u202eg")).toBe("abcdefg");
  });

  it("F-06 costs no more than the length of the text", () => {
    const text = `<${" ".repeat(200_000)}x`;
    expect(escapeFrames(text)).toBe(text);
  });
});
