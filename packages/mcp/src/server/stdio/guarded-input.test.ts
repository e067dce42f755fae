import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { guardedInput } from "../index.ts";

async function linesOf(chunks: readonly string[], maxLineBytes: number) {
  let long = 0;
  const lines = guardedInput(Readable.from(chunks.map((text) => Buffer.from(text))), {
    maxLineBytes,
    onLongLine: () => long++,
  });
  const parts: Buffer[] = [];
  for await (const part of lines as AsyncIterable<Buffer>) parts.push(part);
  return { text: Buffer.concat(parts).toString(), long };
}

function cutUp(text: string, lengths: readonly number[]): string[] {
  const parts: string[] = [];
  let rest = text;
  for (const length of [...lengths, text.length]) {
    if (rest !== "") parts.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return parts;
}

describe("guardedInput", () => {
  it("H-02 lets whole lines through however they are cut, and no line that is too long", async () => {
    const line = fc.string({ unit: "grapheme-ascii", maxLength: 30 });
    const cuts = fc.array(fc.integer({ min: 1, max: 9 }));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 10 }), cuts, async (lines, lengths) => {
        const all = lines.map((text) => `${text}\n`);
        const short = all.filter((one) => one.length <= 20);
        expect(await linesOf(cutUp(all.join(""), lengths), 20)).toEqual({
          text: short.join(""),
          long: all.length - short.length,
        });
      }),
    );
  });
});
