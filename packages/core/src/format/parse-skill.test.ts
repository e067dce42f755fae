import { describe, expect, it } from "vitest";
import { parseSkill } from "../index.ts";

const TEXT =
  "---\nname: pdf\ndescription: Joins. Use it.\nmetadata:\n  version: 1.10\n  tags: [a, 2]\nX: .inf\n---\n";

describe("parseSkill", () => {
  it("F-01 gives each value as YAML has it when asked, under its key as written", () => {
    expect(parseSkill(TEXT, { values: true }).values).toEqual({
      name: "pdf",
      description: "Joins. Use it.",
      metadata: { version: 1.1, tags: ["a", 2] },
      X: Infinity,
    });
    expect(parseSkill(TEXT)).not.toHaveProperty("values");
    expect(parseSkill("no frontmatter", { values: true })).not.toHaveProperty("values");
  });
});
