import { describe, expect, it } from "vitest";
import { parseSkill } from "../index.ts";
import { type RenderableSkill, renderSkill } from "../internal/index.ts";

const MINIMAL = { name: "dates", description: "Formats dates. Use when asked." };

describe("renderSkill", () => {
  it("F-01 writes the least there is", () => {
    expect(renderSkill(MINIMAL)).toBe(
      "---\nname: dates\ndescription: Formats dates. Use when asked.\n---\n",
    );
  });

  it("F-04 writes fields in the usual order and defaults not at all", () => {
    const text = renderSkill({
      ...MINIMAL,
      extra: { tags: ["a"] },
      runMode: "subagent",
      userInvocable: false,
      disableModelInvocation: true,
      allowedTools: [{ tool: "Bash", specifier: "git:*" }, { tool: "Read" }],
      metadata: { key: "value" },
      author: "Ada",
      version: "1.10",
      compatibility: "Node",
      license: "MIT",
      body: "Body.\n",
    });
    expect(text.split("\n").map((line) => line.split(":")[0])).toEqual([
      "---",
      "name",
      "description",
      "license",
      "compatibility",
      "version",
      "author",
      "metadata",
      "  key",
      "allowed-tools",
      "disable-model-invocation",
      "user-invocable",
      "run-mode",
      "tags",
      "  - a",
      "---",
      "Body.",
      "",
    ]);
    expect(
      renderSkill({
        ...MINIMAL,
        disableModelInvocation: false,
        userInvocable: true,
        runMode: "inline",
        metadata: {},
        extra: {},
        body: "",
      }),
    ).toBe(renderSkill(MINIMAL));
  });

  it("F-05 tells no tools from no declaration", () => {
    expect(parseSkill(renderSkill({ ...MINIMAL, allowedTools: [] })).skill?.allowedTools).toEqual(
      [],
    );
    expect(parseSkill(renderSkill(MINIMAL)).skill?.allowedTools).toBeUndefined();
  });

  it("F-03 puts nested metadata back to where it was", () => {
    const skill = { ...MINIMAL, metadata: { a: "b" }, extra: { metadata: { c: ["d"] } } };
    expect(parseSkill(renderSkill(skill)).skill).toMatchObject(skill);
    expect(parseSkill(renderSkill({ ...MINIMAL, extra: { metadata: ["x"] } })).skill).toMatchObject(
      {
        metadata: {},
        extra: { metadata: ["x"] },
      },
    );
  });

  it.each<[string, Partial<RenderableSkill>]>([
    ["numbers", { version: "1.10", license: "0x1F", author: "1e3" }],
    ["words of YAML", { version: "true", license: "null", author: "~" }],
    ["words of older YAML", { version: "2026-11-15", license: "yes", author: "1:30" }],
    ["indicators", { version: "- a", license: "a: b", author: "# c" }],
    ["delimiters", { description: "---\n---", license: "---", author: "..." }],
    ["quotes", { description: `'"\\`, license: `"`, author: "'" }],
    ["line breaks", { description: "a\n\n  b\n c", license: "a\n", author: "\na" }],
    ["tabs and blanks", { license: "\ta\t", author: " a " }],
    ["metadata like numbers", { metadata: { "1": "1.0", true: "no", "a b": "" } }],
    ["a body like frontmatter", { body: "---\nname: evil\n---\n" }],
    ["a body without a final newline", { body: "\n a" }],
  ])("F-06 %s come back without a finding", (_, fields) => {
    const { skill, diagnostics } = parseSkill(renderSkill({ ...MINIMAL, ...fields }));
    expect(diagnostics).toEqual([]);
    expect(skill).toMatchObject(fields);
  });
});
