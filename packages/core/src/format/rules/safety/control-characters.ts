import { defineRule, valueSpan } from "../draft-rule.ts";
import { characterName, CONTROL } from "../../text/invisible-characters.ts";

const TEXT_FIELDS = [
  "name",
  "description",
  "compatibility",
  "license",
  "version",
  "author",
] as const;

export const controlCharacters = defineRule({
  code: "control-characters",
  severity: "error",
  effect: "hidden",
  summary: "A value of the frontmatter holds control characters.",
  explanation:
    "An escape sequence in a description rewrites the terminal of whoever lists the skill. Only line breaks and tabs are text.",
  example: {
    bad: 'description: "Formats dates \\\\e[2J"',
    good: "description: Formats dates",
  },
  check(skill, draft, report) {
    if (draft.isPlain) return;
    for (const key of TEXT_FIELDS) {
      const text = skill[key] ?? "";
      const index = text.search(CONTROL);
      if (index === -1) continue;
      report(valueSpan(draft, key), {
        message: `\`${key}\` holds the control character ${characterName(text, index)}`,
        hint: "remove it",
      });
    }
  },
});
