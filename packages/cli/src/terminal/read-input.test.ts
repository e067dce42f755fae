import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readInput } from "./index.ts";

describe("what is piped in", () => {
  it("C-01 is read to its end", async () => {
    const input = await readInput(Readable.from([Buffer.from("one "), "two"]), { maxBytes: 100 });
    expect(input).toEqual({ ok: true, bytes: Buffer.from("one two") });
  });

  it("C-01 is left alone once it is too much", async () => {
    let given = 0;
    const endless = new Readable({
      read() {
        given++;
        this.push(Buffer.alloc(1000));
      },
    });
    expect(await readInput(endless, { maxBytes: 5000 })).toEqual({ ok: false, code: "too-large" });
    expect(given).toBeLessThan(100);
    expect(endless.destroyed).toBe(true);
  });

  it("C-01 does not hold anybody up when nothing ever comes", async () => {
    const idle = new PassThrough();
    const limits = { maxBytes: 10, firstByteMs: 5 };
    expect(await readInput(idle, limits)).toEqual({ ok: false, code: "silent" });
    expect(idle.destroyed).toBe(true);
  });

  it("C-01 may take its time once it has begun", async () => {
    const slow = new PassThrough();
    slow.write("a");
    setTimeout(() => slow.end("b"), 40);
    const limits = { maxBytes: 10, firstByteMs: 20 };
    expect(await readInput(slow, limits)).toEqual({ ok: true, bytes: Buffer.from("ab") });
  });
});
