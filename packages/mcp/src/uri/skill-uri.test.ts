import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { skillUri, skillUriSegments } from "./index.ts";

const segment = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  // oxlint-disable-next-line no-control-regex -- what no segment may have
  .filter((text) => text !== "." && text !== ".." && !/[/\\\u0000-\u001f\u007f-\u009f]/.test(text));

describe("skillUri", () => {
  it("H-02 any names of files come back as they were", () => {
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        const uri = skillUri(segments);
        expect(skillUriSegments(uri)).toEqual(segments);
        expect(new URL(uri).href).toBe(uri);
      }),
    );
  });

  it("D-10 H-02 no segment that is given leads anywhere", () => {
    const text = fc.oneof(
      fc.string(),
      fc
        .array(
          fc.constantFrom("..", ".", "%2e", "%2F", "/", "\\", "%5c", "%00", "a", "%", "?", "#"),
        )
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, (rest) => {
        for (const part of skillUriSegments(`skill://pdf/${rest}`) ?? []) {
          expect(part).not.toMatch(/^\.{0,2}$|[/\\\0]/);
        }
      }),
    );
  });

  it("H-02 a spelling with more escapes than needed is the same", () => {
    expect(skillUriSegments("skill://pdf/Q%26A%20%c3%bc.md")).toEqual(["pdf", "Q&A ü.md"]);
    expect(skillUri(["pdf", "Q&A ü.md"])).toBe("skill://pdf/Q&A%20%C3%BC.md");
  });
});
