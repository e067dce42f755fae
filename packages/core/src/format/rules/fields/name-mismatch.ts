import { defineRule, valueSpan } from "../draft-rule.ts";

export const nameMismatch = defineRule({
  code: "name-mismatch",
  severity: "warning",
  strict: "error",
  summary: "The name differs from the folder's name.",
  explanation:
    "The specification wants them equal, and some clients refuse the skill otherwise. Here the name in the file wins and the folder's name resolves as well.",
  example: {
    bad: "# folder: pdf-tools\nname: pdf-processing",
    good: "# folder: pdf-processing\nname: pdf-processing",
  },
  check({ name }, draft, report) {
    const { directoryName } = draft;
    if (directoryName === undefined || !draft.fields.has("name")) return;
    if (name === directoryName || name.normalize("NFKC") === directoryName.normalize("NFKC"))
      return;
    report(valueSpan(draft, "name"), {
      message: `the name \`${name}\` differs from the folder \`${directoryName}\``,
      hint: "rename one of them",
    });
  },
});
