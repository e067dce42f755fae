import { defineDirectoryRule } from "../skill-directory.ts";
import { findReferences } from "../../format/body/find-references.ts";

export const referenceOutside = defineDirectoryRule({
  code: "reference-outside",
  severity: "warning",
  summary: "The body refers to a file outside of the skill.",
  explanation:
    "A skill is installed as a folder of its own and may read nothing else; a path with `..` leads nowhere.",
  example: {
    bad: "See [style guide](../../docs/STYLE.md)",
    good: "See [style guide](references/STYLE.md)",
  },
  inspect({ skill, bodyStart }, report) {
    for (const { path, start, end } of findReferences(skill?.body ?? "")) {
      if (!path.split(/[/\\]/).includes("..")) continue;
      report({
        start: bodyStart + start,
        end: bodyStart + end,
        message: `\`${path}\` lies outside of the skill and cannot be read`,
        hint: "copy the file into `references/`",
      });
    }
  },
});
