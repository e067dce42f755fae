import { defineRule, valueSpan } from "../draft-rule.ts";
import { countCharacters } from "../../text/count-characters.ts";

const MAX_COMPATIBILITY_LENGTH = 500;

export const compatibilityTooLong = defineRule({
  code: "compatibility-too-long",
  severity: "warning",
  strict: "error",
  summary: "`compatibility` is longer than 500 characters.",
  explanation:
    "It names what the skill needs – a product, packages, network access – in a line or two.",
  example: {
    bad: "compatibility: … 800 characters …",
    good: "compatibility: Needs git and Python 3.10",
  },
  check({ compatibility }, draft, report) {
    if (compatibility === undefined) return;
    const length = countCharacters(compatibility);
    if (length <= MAX_COMPATIBILITY_LENGTH) return;
    report(valueSpan(draft, "compatibility"), {
      message: `\`compatibility\` has ${length} characters, ${MAX_COMPATIBILITY_LENGTH} are allowed`,
      hint: "name only what the skill needs",
    });
  },
});
