import { describe, expect, it } from "vitest";
import { outlineBody } from "../../internal/index.ts";

describe("outlineBody", () => {
  it("F-09 gives each heading the lines down to the next of its level or above", () => {
    const body = "\n# A\ntext\n## B\ntext\n### C\n## D\ntext\n# E\n";
    expect(outlineBody(body, 10)).toEqual([
      { level: 1, title: "A", line: 11, endLine: 17 },
      { level: 2, title: "B", line: 13, endLine: 15 },
      { level: 3, title: "C", line: 15, endLine: 15 },
      { level: 2, title: "D", line: 16, endLine: 17 },
      { level: 1, title: "E", line: 18, endLine: 18 },
    ]);
  });

  it("F-09 ends the last section with the last line, final newline or not", () => {
    expect(outlineBody("# A\ntext\n")).toEqual([{ level: 1, title: "A", line: 1, endLine: 2 }]);
    expect(outlineBody("# A\ntext")).toEqual([{ level: 1, title: "A", line: 1, endLine: 2 }]);
    expect(outlineBody("# A")).toEqual([{ level: 1, title: "A", line: 1, endLine: 1 }]);
  });

  it("F-09 copes with levels left out and levels going up", () => {
    expect(outlineBody("### A\n# B\n#### C\n## D\n").map(({ endLine }) => endLine)).toEqual([
      1, 4, 3, 4,
    ]);
  });

  it.each([
    ["# A", "A"],
    ["   ###### A", "A"],
    ["#\tA", "A"],
    ["# A #", "A"],
    ["## A ####  ", "A"],
    ["# A#", "A#"],
    ["# A # b", "A # b"],
    ["#", ""],
    ["# #", ""],
    ["# `A` *b*", "`A` *b*"],
    ["A\n=", "A"],
    ["A\n---", "A"],
    ["  A  \n   ===  ", "A"],
  ])("F-09 reads the heading in %j", (body, title) => {
    expect(outlineBody(body).map((heading) => heading.title)).toEqual([title]);
  });

  it.each([
    "#A",
    "####### A",
    "    # A",
    "\t# A",
    "text # A",
    "```\n# A\n```",
    "~~~\n# A\n```\n# B\n~~~",
    "````\n```\n# A\n````",
    "```\n# A",
    "---",
    "\n===",
    "- item\n---",
    "| a |\n---",
    "> quote\n---",
    "1. item\n---",
    "    code\n---",
  ])("F-09 sees no heading in %j", (body) => {
    expect(outlineBody(body)).toEqual([]);
  });

  it("F-09 goes on after code", () => {
    const body = "```sh\n# no\n```\n# A\n`` ``` ``\n# B\n```x`\n# C\n";
    expect(outlineBody(body).map(({ title }) => title)).toEqual(["A", "B", "C"]);
  });

  it("F-09 puts an underlined heading where its text stands", () => {
    expect(outlineBody("A\n===\ntext\n\nB\n---\n")).toEqual([
      { level: 1, title: "A", line: 1, endLine: 6 },
      { level: 2, title: "B", line: 5, endLine: 6 },
    ]);
  });
});
