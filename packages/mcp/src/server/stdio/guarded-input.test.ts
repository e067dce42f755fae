import { PassThrough, Readable, Writable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { guardedInput } from "./guarded-input.ts";

async function linesOf(chunks: readonly string[], maxLineBytes: number) {
  let long = 0;
  const lines = guardedInput(Readable.from(chunks.map((text) => Buffer.from(text))), {
    maxLineBytes,
    output: new PassThrough(),
    maxWaitingBytes: 1,
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

  it("H-02 reads nothing more while answers are not taken", async () => {
    const input = new PassThrough();
    const taken: (() => void)[] = [];
    const output = new Writable({
      highWaterMark: 1,
      write: (_, __, done) => void taken.push(done),
    });
    const lines = guardedInput(input, {
      maxLineBytes: 100,
      output,
      maxWaitingBytes: 10,
      onLongLine: () => undefined,
    });
    const seen: string[] = [];
    lines.on("data", (part: Buffer) => seen.push(part.toString()));
    output.write("x".repeat(50));
    input.write("a\n");
    input.write("b\n");
    const turn = () => new Promise((resolve) => void setImmediate(resolve));
    await turn();
    await turn();
    expect(seen).toEqual(["a\n"]);
    taken.shift()?.();
    await turn();
    await turn();
    expect(seen).toEqual(["a\n", "b\n"]);
  });
});
