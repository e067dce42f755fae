import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { displayWidth } from "@skillwright/core/internal";
import { bufferOf, layoutInput } from "../../index.ts";

const SCREEN = { prompt: "> ", columns: 12, rows: 5 };

describe("a text on the screen", () => {
  it("C-01 breaks lines before the last column, wide characters as a whole", () => {
    expect(layoutInput(bufferOf("abcdefghijkl"), SCREEN)).toEqual({
      lines: ["> abcdefghi", "  jkl"],
      row: 1,
      column: 5,
    });
    expect(layoutInput(bufferOf("中文字中文字"), SCREEN)).toEqual({
      lines: ["> 中文字中", "  文字"],
      row: 1,
      column: 6,
    });
  });

  it("C-01 shows hidden characters, and tabs as blanks", () => {
    const { lines } = layoutInput(bufferOf("a\u202eb\t."), { ...SCREEN, columns: 40 });
    expect(lines).toEqual(["> a\\u{202e}b  ."]);
  });

  it("C-01 of a text that is too high shows what is around the cursor", () => {
    const text = "1\n2\n3\n4\n5\n6\n7";
    expect(layoutInput(bufferOf(text), SCREEN)).toMatchObject({
      lines: ["⋮ 3", "  4", "  5", "  6", "  7"],
      row: 4,
    });
    expect(layoutInput({ text, cursor: 0 }, SCREEN)).toMatchObject({
      lines: ["> 1", "  2", "  3", "  4", "  5"],
      row: 0,
    });
  });

  it("C-01 never leaves the screen, whatever the text, and the cursor is in it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 60 }),
        fc.integer({ min: 24, max: 60 }),
        fc.integer({ min: 1, max: 6 }),
        fc.nat(),
        (text, columns, rows, place) => {
          const cursor = text === "" ? 0 : place % (text.length + 1);
          const whole = Array.from(text.slice(0, cursor)).join("").length;
          const laid = layoutInput({ text, cursor: whole }, { prompt: "> ", columns, rows });
          expect(laid.lines.length).toBeLessThanOrEqual(rows);
          expect(laid.row).toBeLessThan(laid.lines.length);
          for (const line of laid.lines) expect(displayWidth(line)).toBeLessThan(columns);
          expect(laid.column).toBeLessThan(columns);
        },
      ),
    );
  });
});
