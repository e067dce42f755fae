import { describe, expect, it } from "vitest";
import { leadOf, markdownZones } from "../index.ts";

const TEXT = `---
name: a
---
# Title
Intro
## Red flags
Look for:

\`\`\`bash
# not a heading
curl
\`\`\`
<!-- one line -->
<!--
hidden
-->
- item`.split("\n");

describe("markdownZones", () => {
  const zones = markdownZones(TEXT);

  it("K-02 tells what each line is", () => {
    const expected =
      "frontmatter frontmatter frontmatter heading prose heading prose prose prose fence fence prose prose comment comment comment prose";
    expect(zones.map(({ zone }) => zone).join(" ")).toBe(expected);
    expect(zones[10]).toMatchObject({ language: "shell", headings: "red flags", blockStart: 9 });
  });

  it("K-02 finds the line that introduces a block or a list", () => {
    expect(leadOf(TEXT, zones, 10)).toBe(6);
    expect(leadOf(TEXT, zones, 4)).toBe(3);
    expect(leadOf(TEXT, zones, 1)).toBe(-1);
  });
});
