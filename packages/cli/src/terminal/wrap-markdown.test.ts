import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wrapMarkdown } from "./index.ts";

describe("an answer on a terminal", () => {
  it("C-01 breaks between words, and goes on under the text of a list item", () => {
    expect(wrapMarkdown("one two three four five six\n- one two three four five", 20)).toBe(
      "one two three four\nfive six\n- one two three four\n  five",
    );
    expect(wrapMarkdown("> a quotation that is long enough", 22)).toBe(
      "> a quotation that is\n> long enough",
    );
  });

  it("C-01 leaves code and tables as they are", () => {
    const text =
      "```sh\na command line that is longer than it may be\n```\n| a | b | c | d | e | f |";
    expect(wrapMarkdown(text, 20)).toBe(text);
  });

  it("C-01 breaks text without blanks", () => {
    expect(wrapMarkdown("表格已经写入文件并且检查过了没有错误", 20)).toBe(
      "表格已经写入文件并且\n检查过了没有错误",
    );
  });

  it("C-01 loses nothing but blanks", () => {
    const bare = (text: string) => text.replaceAll(/[\s>]/g, "");
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "b", " ", "-", "\n", "1", ".") }),
        (text) => {
          expect(bare(wrapMarkdown(text, 20))).toBe(bare(text));
        },
      ),
    );
  });
});
