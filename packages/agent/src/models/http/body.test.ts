import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBody, readStartOfBody, readWholeBody, UnreadableBodyError } from "../index.ts";

function bodyOf(chunks: readonly Uint8Array[], onCancel = () => {}): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks[next++];
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
    cancel: onCancel,
  });
}

describe("readBody", () => {
  it("M-03 characters that are split over pieces come whole", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        async (text, size) => {
          const bytes = Buffer.from(text);
          const chunks: Uint8Array[] = [];
          for (let at = 0; at < bytes.length; at += size)
            chunks.push(bytes.subarray(at, at + size));
          expect(await readWholeBody(bodyOf(chunks))).toBe(text.replace(/^\uFEFF/, ""));
        },
      ),
    );
  });

  it("M-03 stops at the limit and closes the connection", async () => {
    let isCanceled = false;
    const endless = Array.from({ length: 1000 }, () => new Uint8Array(100).fill(65));
    const body = bodyOf(endless, () => (isCanceled = true));
    await expect(readWholeBody(body, 1000)).rejects.toBeInstanceOf(UnreadableBodyError);
    expect(isCanceled).toBe(true);
  });

  it("M-03 closes the connection when the reader has enough", async () => {
    let isCanceled = false;
    const body = bodyOf([Buffer.from("a"), Buffer.from("b")], () => (isCanceled = true));
    for await (const part of readBody(body)) {
      expect(part).toBe("a");
      break;
    }
    expect(isCanceled).toBe(true);
  });

  it("M-03 of an error only the start is read, and what breaks off is enough", async () => {
    expect(await readStartOfBody(bodyOf([Buffer.from("abcdef")]), 3)).toBe("abc");
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from("half"));
      },
      pull(controller) {
        controller.error(new Error("reset"));
      },
    });
    expect(await readStartOfBody(broken, 100)).toBe("half");
    expect(await readStartOfBody(null, 100)).toBe("");
  });
});
