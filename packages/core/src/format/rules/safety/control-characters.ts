import { characterName, CONTROL } from "../../text/invisible-characters.ts";
import { eachScalar } from "../../yaml/each-scalar.ts";
import { defineRule } from "../draft-rule.ts";

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
  check(_skill, draft, report) {
    if (!draft.mayHide) return;
    for (const { text, start, end } of eachScalar(draft.frontmatter)) {
      const index = text.search(CONTROL);
      if (index === -1) continue;
      const message = `the frontmatter holds the control character ${characterName(text, index)}`;
      report({ start, end }, { message, hint: "remove it" });
    }
  },
});
