import type { FindingWords } from "../../reporter.ts";
import { defineRule, valueSpan } from "../draft-rule.ts";
import { nameProblem, slugify } from "../../text/skill-name.ts";

export const nameInvalid = defineRule({
  code: "name-invalid",
  severity: "warning",
  strict: "error",
  summary: "The name has characters that a name cannot have.",
  explanation:
    "A name consists of lowercase letters, digits and single hyphens between them, so that it works as a folder, a command and an identifier everywhere.",
  example: {
    bad: "name: PDF_Processing",
    good: "name: pdf-processing",
  },
  check({ name }, draft, report) {
    const finding = draft.fields.has("name") ? invalidName(name) : undefined;
    if (finding !== undefined) report(valueSpan(draft, "name"), finding);
  },
});

export function invalidName(name: string): FindingWords | undefined {
  const problem = nameProblem(name);
  if (problem === undefined) return undefined;
  const message = `the name \`${name}\` ${problem}`;
  const suggestion = slugify(name);
  return suggestion === "" ? { message } : { message, hint: `for example \`${suggestion}\`` };
}
