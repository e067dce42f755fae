import { defineRule, valueSpan } from "../draft-rule.ts";

export const nameMissing = defineRule({
  code: "name-missing",
  severity: "warning",
  strict: "error",
  summary: "The skill has no name.",
  explanation:
    "The name is how people and models call the skill. Without it the folder's name is used when there is one.",
  example: {
    bad: "---\ndescription: Extracts text.\n---",
    good: "---\nname: pdf-processing\ndescription: Extracts text. Use when a PDF must be read.\n---",
  },
  check(skill, draft, report) {
    const value = draft.fields.get("name")?.value;
    if (value?.kind === "scalar" && value.value !== null && value.source.trim() !== "") return;
    const unusable = skill.name.trim() === "";
    report(valueSpan(draft, "name"), { ...missingName(draft.directoryName), unusable });
  },
});

export function missingName(fallback: string | undefined) {
  return {
    message:
      fallback === undefined
        ? "the skill has no `name`"
        : `the skill has no \`name\`; the folder's name \`${fallback}\` is used`,
    hint: `add a line such as name: ${fallback ?? "my-skill"}`,
  };
}
