import { describe, expect, it } from "vitest";
import { splitFrontmatter } from "../testing.ts";

describe("splitFrontmatter", () => {
  it("F-01 cuts between the delimiter lines, which belong to neither part", () => {
    expect(partsOf("---\na: b\n---\nBody\n")).toEqual({
      frontmatter: "a: b\n",
      body: "Body\n",
      opening: 0,
    });
  });

  it("F-01 lets blanks and tabs follow the hyphens", () => {
    expect(partsOf("--- \t\na: b\n---\t\nBody")).toMatchObject({
      frontmatter: "a: b\n",
      body: "Body",
    });
  });

  it("F-01 takes the first whole line of three hyphens as the end", () => {
    const text = "---\na: x --- y\n ---\n----\n--- #\n---x\n---\n---\n";
    expect(partsOf(text)).toMatchObject({
      frontmatter: "a: x --- y\n ---\n----\n--- #\n---x\n",
      body: "---\n",
    });
  });

  it("F-01 finds an empty frontmatter and an empty body", () => {
    expect(partsOf("---\n---\n")).toMatchObject({ frontmatter: "", body: "" });
    expect(partsOf("---\n---")).toMatchObject({ frontmatter: "", body: "" });
  });

  it("F-01 tells where the opening line stands after blank lines", () => {
    expect(partsOf(" \n\t\n\n---\na: b\n---\n")).toEqual({
      frontmatter: "a: b\n",
      body: "",
      opening: 5,
    });
  });

  it.each(["---", "---\n", "---\na: b\n", "---\n ---\n", "---\na: b\n--"])(
    "F-01 sees that %j is not closed",
    (text) => {
      expect(splitFrontmatter(text)).toEqual({ found: "opening", opening: 0 });
    },
  );

  it.each([
    "",
    "\n",
    "# Title\n---\na: b\n---\n",
    " ---\n---\n",
    "--\n---\n",
    "----\n---\n",
    "---\f\n---\n",
  ])("F-01 sees no frontmatter in %j", (text) => {
    expect(splitFrontmatter(text)).toEqual({ found: "none" });
  });

  it("F-01 stays linear where nearly every line looks like a delimiter", () => {
    expect(splitFrontmatter(`---\n${"---x\n".repeat(200_000)}`).found).toBe("opening");
  });
});

function partsOf(text: string) {
  const split = splitFrontmatter(text);
  if (split.found !== "both") return split;
  const { start, end, bodyStart, opening } = split.parts;
  return { frontmatter: text.slice(start, end), body: text.slice(bodyStart), opening };
}
