import { describe, expect, it } from "vitest";
import { ChangingLines, rowsOf } from "./index.ts";

const size = { columns: 20, rows: 10 };

/** What is on a terminal down to the cursor, as far as lines, up and erase go. */
function screenOf(written: string): string[] {
  const rows = [""];
  let row = 0;
  // oxlint-disable-next-line no-control-regex -- what a terminal obeys
  for (const [part] of written.matchAll(/\u001B\[(\d*)([A-Z])|\n|\r|[^\u001B\n\r]+/g)) {
    const [, digits = "", command] = /^.\[(\d*)([A-Z])$/.exec(part) ?? [];
    if (command === "A") row -= digits === "" ? 1 : Number(digits);
    else if (command === "J") rows.splice(row, rows.length - row, "");
    else if (command === "K") rows[row] = digits === "2" ? "" : (rows[row] ?? "");
    else if (part === "\n") rows[++row] ??= "";
    else if (part !== "\r") rows[row] = part;
  }
  return rows.slice(0, row + 1);
}

describe("lines that change", () => {
  it("C-01 are drawn in place of those before, also when they get fewer", () => {
    const lines = new ChangingLines();
    const first = lines.draw(["one", "two", "three"], size);
    expect(screenOf(first)).toEqual(["one", "two", "three", ""]);
    expect(screenOf(first + lines.draw(["uno"], size))).toEqual(["uno", ""]);
  });

  it("C-01 of which only what changed is written again", () => {
    const lines = new ChangingLines();
    const first = lines.draw(["one", "two", "3 s"], size);
    expect(lines.draw(["one", "two", "3 s"], size)).toBe("");
    const second = lines.draw(["one", "two", "4 s"], size);
    expect(second).not.toContain("one");
    expect(screenOf(first + second)).toEqual(["one", "two", "4 s", ""]);
    const third = lines.draw(["one"], size);
    expect(screenOf(first + second + third)).toEqual(["one", ""]);
    expect(lines.draw(["one"], { ...size, columns: 10 })).toContain("one");
  });

  it("C-01 let what stays go above them", () => {
    const lines = new ChangingLines();
    const written = lines.draw(["now", "time"], size) + lines.above("done", size);
    expect(screenOf(written)).toEqual(["done", "now", "time", ""]);
    expect(screenOf(written + lines.clear(size))).toEqual(["done", ""]);
    expect(lines.isEmpty).toBe(true);
    expect(lines.clear(size)).toBe("");
  });

  it("C-01 go back over the rows that a narrower terminal made of them", () => {
    const lines = new ChangingLines();
    lines.draw(["a line of 18 chars", "数据数据数"], size);
    // 18 columns take two rows of ten; five wide characters fit into one.
    expect(lines.clear({ columns: 10, rows: 10 })).toContain("\r\u001B[3A");
  });

  it("C-01 never go above the screen", () => {
    const lines = new ChangingLines();
    lines.draw(["1", "2", "3", "4", "5", "6"], size);
    expect(lines.clear({ columns: 20, rows: 4 })).toContain("\r\u001B[3A");
  });

  it.each([
    ["", 10, 1],
    ["\u001B[31mcolour\u001B[39m", 6, 1],
    ["0123456789", 10, 1],
    ["0123456789a", 10, 2],
    ["数据数据数", 9, 2],
    ["数据数据数据", 5, 3],
  ])("C-01 %j in %i columns takes %i rows", (line, columns, rows) => {
    expect(rowsOf(line, columns)).toBe(rows);
  });
});
