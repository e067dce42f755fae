import { describe, expect, it } from "vitest";
import { shownDiff } from "./shown-diff.ts";

describe("shownDiff", () => {
  it("H-02 shows what goes and what comes, with lines around it", () => {
    expect(shownDiff("1\n2\n3\n4\nold\n5\n", "1\n2\n3\n4\nnew\n5\n")).toEqual([
      "  2",
      "  3",
      "  4",
      "- old",
      "+ new",
      "  5",
    ]);
    expect(shownDiff("", "a\n")).toEqual(["+ a"]);
    expect(shownDiff("a\na\n", "a\na\na\n")).toEqual(["  a", "  a", "+ a"]);
  });
});
