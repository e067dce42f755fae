import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../test/support/suite.ts";
import { normalizeText } from "../format/testing.ts";
import { locateLines, memoryContent } from "./index.ts";

const piece = fc.constantFrom("a", "", "ä€", "\n", "\r", "\r\n", "\n\r", "\r\r\n", "b".repeat(40));
const range = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 8 }));

describe("locateLines", () => {
  it("D-06 finds the same lines as a split of the whole text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 30 }),
        range,
        fc.constantFrom(0, 65_530, 65_535),
        async (pieces, [startLine, more], padding) => {
          // Padding moves the line ends across the end of the first chunk that is read.
          const bytes = Buffer.from("x".repeat(padding) + pieces.join(""));
          const lines = normalizeText(bytes.toString()).match(/[^\n]*\n|[^\n]+$/g) ?? [];
          const content = memoryContent("x", bytes);
          const found = await locateLines(content, startLine, startLine + more, 1_000_000);
          expect(found.totalLines).toBe(lines.length);
          const expected = lines.slice(startLine - 1, startLine + more).join("");
          const { start, end } = found;
          const text = start === undefined ? "" : bytes.subarray(start, end).toString();
          expect(normalizeText(text)).toBe(expected);
        },
      ),
      { numRuns: numRuns(1000) },
    );
  });

  it("D-06 reads no more of a large file than it must", async () => {
    const bytes = Buffer.alloc(9_000_000, "line\n");
    let read = 0;
    const content = {
      ...memoryContent("x", bytes),
      read(buffer: Buffer, position: number) {
        read += buffer.length;
        return bytes.copy(buffer, 0, position);
      },
    };
    expect(await locateLines(content, 2, 3, 100)).toEqual({ start: 5, end: 15 });
    expect(read).toBe(64 * 1024);
    // Everything from the second line on is more than was asked to look at.
    expect(await locateLines(content, 2, Number.POSITIVE_INFINITY, 100)).toEqual({ start: 5 });
    expect(read).toBe(2 * 64 * 1024);
  });
});
