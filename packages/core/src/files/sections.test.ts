import { describe, expect, it } from "vitest";
import { findSection, headingsOf, nearTitles } from "./index.ts";

const TEXT = `---
name: a
description: b
---
# Forms

## Form fields in depth
## Form fields
### \`Limits\` & errors
## forms
## 表單
`;

describe("findSection", () => {
  it.each([
    ["Forms", 5],
    ["## forms", 10],
    ["FORMS", 5],
    ["form fields", 8],
    ["#form-fields", 8],
    ["limits-errors", 9],
    ["depth", 7],
    ["fields", 8],
    ["Form feilds", 8],
    ["表單", 11],
  ])("D-06 finds %j", (hint, line) => {
    expect(findSection(headingsOf(TEXT), hint)?.line).toBe(line);
  });

  it.each(["", "  ", "#", "…", "installation"])("D-06 finds nothing for %j", (hint) => {
    expect(findSection(headingsOf(TEXT), hint)).toBeUndefined();
  });

  it("D-06 takes no line of the frontmatter for a heading", () => {
    expect(headingsOf(TEXT)[0]).toMatchObject({ title: "Forms", line: 5, endLine: 11 });
  });

  it("D-06 offers titles that share a word first", () => {
    expect(nearTitles(headingsOf(TEXT), "all the limits", 2)).toEqual([
      "`Limits` & errors",
      "Forms",
    ]);
  });
});
