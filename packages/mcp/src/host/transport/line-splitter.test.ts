import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter } from "../index.ts";

describe("LineSplitter", () => {
  it("H-02 gives the same lines however the bytes are cut", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.nat(40)), (texts, cuts) => {
        const lines = texts.map((text) => text.replaceAll("\n", ""));
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
        const splitter = new LineSplitter(1_000_000);
        const found: string[] = [];
        let at = 0;
        for (const cut of [...cuts, bytes.length]) {
          const end = Math.min(bytes.length, at + cut);
          expect(splitter.add(bytes.subarray(at, end), (line) => found.push(line))).toBe(true);
          at = end;
        }
        expect(found).toEqual(lines);
      }),
    );
  });

  it("H-02 refuses a line that is too long, whole or in parts", () => {
    expect(new LineSplitter(3).add(Buffer.from("abcd\n"), () => {})).toBe(false);
    const splitter = new LineSplitter(3);
    expect(splitter.add(Buffer.from("ab"), () => {})).toBe(true);
    expect(splitter.add(Buffer.from("cd"), () => {})).toBe(false);
  });
});
