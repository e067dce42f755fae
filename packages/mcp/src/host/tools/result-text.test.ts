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

  it("H-02 says what it does not know, and gives the rest", () => {
    const content = [{ type: "text", text: "a" }, { type: "hologram", data: "AAAA" }, {}];
    expect(textOf({ content })).toBe(
      "a\n(content of the unknown type hologram: not shown)\n(content without a type: not shown)",
    );
  });

  it("P-04 secrets are in none of it, also where something stood in them or a cut goes through", () => {
    const secret = 'tulip-"pass"77xyz';
    const hidden = (result: unknown, max = 1000) => resultText(result, max, [secret]).text;
    expect(hidden({ structuredContent: { [secret]: secret } })).toBe('{"[redacted]":"[redacted]"}');
    const split = `x ${secret.slice(0, 8)}\u202e${secret.slice(8)}`;
    expect(hidden({ content: [{ type: "text", text: split }] })).toBe("x [redacted]");
    const long = { content: [{ type: "text", text: secret + "x".repeat(99) }] };
    expect(hidden(long, 20)).toMatch(/^\[redacted\]\n/);
  });

  it.each([undefined, null, 7, [], { content: 7 }, { content: [null, {}] }])(
    "H-02 takes any shape: %j",
    (result) => {
      expect(typeof textOf(result)).toBe("string");
    },
  );
});
