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
    const problem = nameProblem(name);
    if (problem === undefined || !draft.fields.has("name")) return;
    const suggestion = slugify(name);
    report(valueSpan(draft, "name"), {
      message: `the name \`${name}\` ${problem}`,
      ...(suggestion === "" ? undefined : { hint: `for example \`${suggestion}\`` }),
    });
  },
});
