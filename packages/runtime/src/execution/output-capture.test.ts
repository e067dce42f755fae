import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutputCapture } from "./index.ts";

const LEFT_OUT = /\n\[… (\d+) bytes left out …\]\n/;

function capture(cap: number, chunks: readonly (Uint8Array | string)[]) {
  const output = new OutputCapture(cap);
  for (const chunk of chunks) output.write(Buffer.from(chunk as string));
  return output.end();
}

describe("OutputCapture", () => {
  it("X-05 keeps everything within the cap", () => {
    expect(capture(10, ["hello", "world"])).toEqual({ text: "helloworld", truncated: false });
    expect(capture(10, [])).toEqual({ text: "", truncated: false });
  });

  it("X-05 keeps head and tail beyond it", () => {
    expect(capture(10, ["abcdefgh", "ijklmnop"])).toEqual({
      text: "abcde\n[… 6 bytes left out …]\nlmnop",
      truncated: true,
    });
  });

  it("X-05 is the head and the tail of all bytes, however they came", () => {
    const chunks = fc.array(fc.stringMatching(/^[a-z]{0,40}$/), { maxLength: 20 });
    fc.assert(
      fc.property(chunks, fc.integer({ min: 1, max: 60 }), (parts, cap) => {
        const all = parts.join("");
        const { text, truncated } = capture(cap, parts);
        expect(truncated).toBe(all.length > cap);
        const [head = "", left = "0", tail = ""] = text.split(LEFT_OUT);
        expect(all.startsWith(head)).toBe(true);
        expect(all.endsWith(tail)).toBe(true);
        expect(head.length + tail.length).toBe(Math.min(cap, all.length));
        expect(Number(left)).toBe(Math.max(0, all.length - cap));
      }),
    );
  });

  it("X-05 cuts no character in half", () => {
    const { text } = capture(11, ["ääääääääääääääää"]);
    expect(text.replace(LEFT_OUT, "")).toMatch(/^ä+$/);
  });

  it("X-05 tells what comes, made harmless, until a listener has enough", () => {
    const heard: string[] = [];
    const output = new OutputCapture(4, [
      (text) => {
        heard.push(text);
        return heard.length < 3;
      },
    ]);
    const euro = Buffer.from("€");
    output.write(euro.subarray(0, 1));
    output.write(euro.subarray(1));
    for (const text of ["\u001b[2J", "b", "c"]) output.write(Buffer.from(text));
    output.end();
    expect(heard).toEqual(["€", "␛[2J", "b"]);
  });
});
