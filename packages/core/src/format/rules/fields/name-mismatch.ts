import { defineRule, valueSpan } from "../draft-rule.ts";

// oxlint-disable-next-line no-control-regex -- ASCII has no other forms
const NOT_ASCII = /[^\u0000-\u007f]/;

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
    const finding = draft.fields.has("name")
      ? mismatchedName(name, draft.directoryName)
      : undefined;
    if (finding !== undefined) report(valueSpan(draft, "name"), finding);
  },
});

export function mismatchedName(name: string, directoryName: string | undefined) {
  if (directoryName === undefined || name === directoryName) return undefined;
  const isPlain = !NOT_ASCII.test(name + directoryName);
  if (!isPlain && name.normalize("NFKC") === directoryName.normalize("NFKC")) return undefined;
  return {
    message: `the name \`${name}\` differs from the folder \`${directoryName}\``,
    hint: "rename one of them",
  };
}
