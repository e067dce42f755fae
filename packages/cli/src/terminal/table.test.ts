import { describe, expect, it } from "vitest";
import { displayWidth } from "@skillwright/core/internal";
import { table } from "./index.ts";

describe("table", () => {
  it("C-01 a long name takes a line of its own and no width from the others", () => {
    const long = "x".repeat(64);
    const text = table(
      ["NAME", "SOURCE", "STATUS", "DESCRIPTION"],
      [
        ["pdf", "project", "untrusted", "Works on files of a certain kind, on request and well."],
        [long, "project", "untrusted", "Another one with a description that is rather long."],
      ],
      { width: 80 },
    );
    const lines = text.split("\n");
    expect(lines.filter((line) => displayWidth(line) > 80)).toEqual([]);
    expect(lines[0]).toBe("NAME  SOURCE   STATUS     DESCRIPTION");
    expect(lines[2]).toBe(long);
    expect(lines[3]).toMatch(/^ {6}project {2}untrusted {2}Another one/);
  });

  it("C-01 cuts the last column only", () => {
    const rows = [["ab", "c".repeat(50)]];
    expect(table(["A", "B"], rows, { width: 30 })).toBe(`A   B\nab  ${"c".repeat(25)}…`);
  });
});
