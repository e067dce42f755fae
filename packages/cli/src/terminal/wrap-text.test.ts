import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wrapText } from "./index.ts";

describe("wrapText", () => {
  it("C-01 breaks between words, and goes on below the start of the line", () => {
    expect(wrapText("one two three", 8)).toBe("one two\nthree");
    expect(wrapText("  one two three", 9)).toBe("  one two\n  three");
    expect(wrapText("short\none two three", 8)).toBe("short\none two\nthree");
  });

  it("C-01 goes on below what follows a label", () => {
    expect(wrapText("  skills  one, two, three", 20)).toBe("  skills  one, two,\n          three");
  });

  it("C-01 puts what has no room beside its label below it", () => {
    expect(wrapText("digest        sha256:0123456789", 24)).toBe("digest\n    sha256:0123456789");
  });

  it("C-01 takes no sentence for a label", () => {
    const text = `${"a bc ".repeat(8)} end`;
    expect(wrapText(text, 20)).toBe("a bc a bc a bc a bc\na bc a bc a bc a bc \nend");
  });

  it("C-01 leaves a long word whole, and does not count colours", () => {
    expect(wrapText("see /a/long/path/of/a/file now", 10)).toBe("see\n/a/long/path/of/a/file\nnow");
    expect(wrapText("\u001B[1mone two\u001B[22m", 7)).toBe("\u001B[1mone two\u001B[22m");
  });

  it("C-01 loses no word", () => {
    const line = fc.array(fc.stringMatching(/^[a-z ]{0,12}$/)).map((words) => words.join(" "));
    fc.assert(
      fc.property(line, fc.integer({ min: 1, max: 30 }), (text, width) => {
        const words = (value: string) => value.split(/\s+/).filter((word) => word !== "");
        expect(words(wrapText(text, width))).toEqual(words(text));
      }),
    );
  });
});
