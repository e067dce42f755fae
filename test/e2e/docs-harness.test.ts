import { describe, expect, it } from "vitest";
import { readDirective } from "../support/docs/directive.ts";
import { type DocumentedBlock, readBlocks } from "../support/docs/documented-block.ts";
import { matchesOutput, normalizeOutput } from "../support/docs/match-output.ts";
import { runShell } from "../support/docs/run-shell.ts";
import { shellCommands } from "../support/docs/shell-commands.ts";

const FENCE = "```";
const page = (...lines: readonly string[]): DocumentedBlock[] =>
  readBlocks("page.md", lines.join("\n"));

describe("what runs the pages", () => {
  it("C-01 sees each block, its directive, and what is its output", () => {
    const blocks = page(
      "<!-- test: project=empty exit=3 -->",
      `${FENCE}sh`,
      "true",
      FENCE,
      "",
      `${FENCE}text`,
      "printed",
      FENCE,
      "Words.",
      `${FENCE}text`,
      "shown",
      FENCE,
    );
    expect(blocks.map(({ line, text, isOutput }) => [line, text, isOutput])).toEqual([
      [2, "true\n", false],
      [6, "printed\n", true],
      [10, "shown\n", false],
    ]);
    expect(blocks[0]?.directive).toEqual({ project: "empty", exit: 3 });
    expect(() => page(`${FENCE}sh`, "true")).toThrow("does not end");
  });

  it("C-01 takes no directive that it does not know", () => {
    expect(readDirective('skip="needs a network" file=a/b.json', "p:1")).toEqual({
      skip: "needs a network",
      file: "a/b.json",
    });
    for (const text of ["exit", "skp=1", "continues=no", "project=a ?"])
      expect(() => readDirective(text, "p:1"), text).toThrow("p:1");
  });

  it("C-01 keeps commands of several lines together", () => {
    const text = "# only a comment\na \\\n  b\ncat <<'END'\n# text\nEND\nc # why\n";
    expect(shellCommands(text)).toEqual(["a \\\n  b", "cat <<'END'\n# text\nEND", "c # why"]);
    expect(() => shellCommands("a \\\n")).toThrow("does not end");
  });

  it("C-01 tells other output from the same output at another time", () => {
    const run = "20261116T103719933Z-3e1b5e3e";
    expect(normalizeOutput(`${run} in 1.2 s`)).toBe("<run> in <time>");
    expect(matchesOutput(`${run} in 1.2 s`, "20300101T000000000Z-00000000 in 40ms\n")).toBe(true);
    expect(matchesOutput("…\nlast (1)", "first\nsecond\nlast (1)\n")).toBe(true);
    expect(matchesOutput("total … rows", "total 8 rows")).toBe(true);
    for (const printed of ["total 8 rows, 2 empty", "more\ntotal 8 rows", "Total 8 rows", ""])
      expect(matchesOutput("total … rows", printed), printed).toBe(false);
    expect(matchesOutput("a.c", "abc")).toBe(false);
  });

  it("C-01 runs a page in one shell and gives what each command printed and how it ended", async () => {
    const blocks = page(
      "<!-- test: project=empty -->",
      `${FENCE}sh`,
      "mkdir inner && cd inner",
      "pwd",
      "echo problem >&2; (exit 5)",
      "npm start",
      FENCE,
      "<!-- test: file=a/b.txt -->",
      `${FENCE}markdown`,
      "content",
      FENCE,
      "<!-- test: output=stdout -->",
      `${FENCE}sh`,
      "cat a/b.txt; echo other >&2",
      FENCE,
    );
    const ran = await runShell(blocks);
    expect(ran.map(({ exitCode, printed, errors }) => [exitCode, printed, errors])).toEqual([
      [0, "", ""],
      [0, "/home/you/empty/inner\n", ""],
      [5, "problem\n", ""],
      [127, "npm is not run here\n", ""],
      [0, "content\n", "other\n"],
    ]);
  });
});
