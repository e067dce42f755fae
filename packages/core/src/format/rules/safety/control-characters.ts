import { characterName, CONTROL, indexOfUnsafe } from "../../../internal/hidden-characters.ts";
import { eachScalar } from "../../yaml/each-scalar.ts";
import { defineRule, valueSpan } from "../draft-rule.ts";

export const controlCharacters = defineRule({
  code: "control-characters",
  severity: "error",
  effect: "hidden",
  summary: "A value of the frontmatter holds control characters.",
  explanation:
    "An escape sequence in a description rewrites the terminal of whoever lists the skill. Only line breaks and tabs are text, and in a name not even these.",
  example: {
    bad: 'description: "Formats dates \\\\e[2J"',
    good: "description: Formats dates",
  },
  check({ name }, draft, report) {
    // A name stands on one line, whatever a text may do.
    const at = indexOfUnsafe(name);
    const isBreak = at !== -1 && /[\s\p{Cc}]/u.test(name.charAt(at));
    if (isBreak && !(draft.fields.has("name") && CONTROL.test(name))) {
      const message = `the name holds ${characterName(name, at)} and is kept from models`;
      report(valueSpan(draft, "name"), { message, hint: "remove it" });
    }
    if (!draft.mayHide) return;
    for (const { text, start, end } of eachScalar(draft.frontmatter)) {
      const index = text.search(CONTROL);
      if (index === -1) continue;
      const message = `the frontmatter holds the control character ${characterName(text, index)}`;
      report({ start, end }, { message, hint: "remove it" });
    }
  },
});
