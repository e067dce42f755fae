import { describe, expect, it } from "vitest";
import { memoryContent, readBytes } from "./index.ts";

/** A file that says it has some size and has another, or comes in small pieces. */
function lying(text: string, size: number, most = Number.POSITIVE_INFINITY) {
  const bytes = Buffer.from(text);
  const calls: number[] = [];
  const content = {
    ...memoryContent("x", bytes),
    size,
    read(buffer: Buffer, position: number) {
      calls.push(buffer.length);
      return bytes.subarray(position, position + Math.min(most, buffer.length)).copy(buffer);
    },
  };
  return { content, calls };
}

describe("readBytes", () => {
  it("D-06 reads a file as large as it says with one call", () => {
    const { content, calls } = lying("0123456789", 10);
    expect(readBytes(content, 0, 100).toString()).toBe("0123456789");
    expect(calls).toEqual([11]);
  });

  it("T-09 reads a file that has grown, and no more than the limit of it", () => {
    expect(readBytes(lying("0123456789", 3).content, 0, 100).toString()).toBe("0123456789");
    expect(readBytes(lying("0123456789", 0).content, 0, 100).toString()).toBe("0123456789");
    expect(readBytes(lying("0123456789", 3).content, 0, 7).toString()).toBe("0123456");
  });

  it("D-06 reads what is left of a file that has shrunk", () => {
    expect(readBytes(lying("012", 10).content, 0, 100).toString()).toBe("012");
    expect(readBytes(lying("012", 10).content, 5, 100).toString()).toBe("");
  });

  it("D-06 puts pieces together", () => {
    expect(readBytes(lying("0123456789", 10, 3).content, 1, 8).toString()).toBe("12345678");
  });
});
