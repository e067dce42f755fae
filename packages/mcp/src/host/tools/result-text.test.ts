import { describe, expect, it } from "vitest";
import { resultText } from "./result-text.ts";

const textOf = (result: unknown) => resultText(result, 1000).text;

describe("resultText", () => {
  it("H-02 joins texts, names what is none, and falls back to what is structured", () => {
    const content = [
      { type: "text", text: "a" },
      { type: "image", mimeType: "image/png", data: "AAAA" },
      { type: "resource", resource: { uri: "x:y", text: "b" } },
      { type: "resource_link", uri: "x:z", name: "link" },
    ];
    const image = "(image image/png, 4 characters of base64: not shown)";
    expect(textOf({ content })).toBe(`a\n${image}\nb\n(a link to link: x:z)`);
    expect(textOf({ structuredContent: { a: 1 } })).toBe('{"a":1}');
  });

  it("H-02 takes out what a terminal would obey, and is bounded", () => {
    expect(textOf({ content: [{ type: "text", text: "a\u001b[2J\tb\nc\u202e" }] })).toBe(
      "a[2J\tb\nc",
    );
    const long = textOf({ content: [{ type: "text", text: `A${"x".repeat(5000)}Z` }] });
    expect(long.length).toBeLessThan(1100);
    expect(long).toMatch(/^A.*bytes are left out.*Z$/s);
  });

  it.each([undefined, null, 7, [], { content: 7 }, { content: [null, {}] }])(
    "H-02 takes any shape: %j",
    (result) => {
      expect(typeof textOf(result)).toBe("string");
    },
  );
});
