import { describe, expect, it } from "vitest";
import { entryProblem, verbatimFrontmatter } from "../index.ts";

const skill = (yaml: string) => `---\n${yaml}\n---\n# Goal\n`;

describe("verbatimFrontmatter", () => {
  it("H-02 F-01 gives each value as it is written", () => {
    const yaml = [
      "# a comment",
      "name: pdf",
      'description: "Two',
      '  lines."',
      "allowed-tools: [Read, Bash]",
      "metadata:",
      "  version: 1.10",
      "  when: 2026-01-01",
      "  on: yes",
      "  none: ~",
      "  tags: [a, 2]",
      "count: 1.10",
      "long: |",
      "  first",
      "",
      "    second",
    ].join("\n");
    expect(verbatimFrontmatter(skill(yaml))).toEqual({
      frontmatter: {
        name: "pdf",
        description: "Two lines.",
        "allowed-tools": ["Read", "Bash"],
        metadata: { version: "1.10", when: "2026-01-01", on: "yes", none: "~", tags: '["a",2]' },
        count: 1.1,
        long: "first\n\n  second\n",
      },
      body: "# Goal\n",
    });
  });

  it("H-02 F-01 a byte order mark and other line ends play no part", () => {
    const text = `\uFEFF${skill("name: a\ndescription: b")}`.replaceAll("\n", "\r\n");
    expect(verbatimFrontmatter(text)?.frontmatter).toEqual({ name: "a", description: "b" });
  });

  it.each([
    ["metadata:", {}],
    ["metadata: [a]", {}],
    ["metadata: { x: .inf, y: { z: 1 }, w: '1' }", { x: ".inf", y: '{"z":1}', w: "1" }],
  ])("H-02 F-01 of %j texts are left", (yaml, metadata) => {
    const text = skill(`name: a\ndescription: b\n${yaml}`);
    expect(verbatimFrontmatter(text)?.frontmatter["metadata"]).toEqual(metadata);
  });

  it.each([
    ["needs a repair", skill("name: a\ndescription: b: c")],
    ["is a list", skill("- a")],
    ["is empty", skill("")],
    ["has no JSON value", skill("name: a\ndescription: b\nx: .nan")],
    ["is not closed", "---\nname: a\n"],
    ["does not stand first", `\n${skill("name: a")}`],
    ["has two documents", skill("name: a\n...\nname: b")],
  ])("H-02 F-01 there is none when it %s", (_, text) => {
    expect(verbatimFrontmatter(text)).toBeUndefined();
  });
});

describe("entryProblem", () => {
  const good = { name: "pdf", description: "Joins." };

  it("H-02 what hosts take is no problem", () => {
    const more = { license: 3, metadata: { a: "b" }, compatibility: "all", x: [1] };
    expect(entryProblem({ ...good, ...more }, "pdf")).toBeUndefined();
    expect(entryProblem({ ...good, description: "𝒳".repeat(1024) }, "pdf")).toBeUndefined();
  });

  it.each([
    [{ name: 3 }, /no name/],
    [{ name: "other" }, /names it "other"/],
    [{ description: "" }, /1 to 1,024/],
    [{ description: "x".repeat(1025) }, /1 to 1,024/],
    [{ compatibility: "" }, /compatibility/],
    [{ compatibility: ["x"] }, /compatibility/],
  ])("H-02 %j is one", (more, reason) => {
    expect(entryProblem({ ...good, ...more }, "pdf")).toMatch(reason);
  });

  it.each(["PDF", "a--b", "-a", "a_b", "x".repeat(65)])("H-02 the name %j is one", (name) => {
    expect(entryProblem({ name, description: "x" }, name)).toMatch(/name/);
  });
});
