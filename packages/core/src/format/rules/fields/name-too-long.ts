import { defineRule, valueSpan } from "../draft-rule.ts";
import { countCharacters } from "../../text/count-characters.ts";

export const MAX_NAME_LENGTH = 64;

export const nameTooLong = defineRule({
  code: "name-too-long",
  severity: "warning",
  strict: "error",
  summary: "The name is longer than 64 characters.",
  explanation: "Names are repeated in every prompt and every command.",
  example: {
    bad: "name: a-name-that-explains-the-whole-skill-in-one-breath-and-then-goes-on-for-a-while",
    good: "name: pdf-processing",
  },
  check({ name }, draft, report) {
    if (name.length <= MAX_NAME_LENGTH) return;
    const length = countCharacters(name);
    if (length <= MAX_NAME_LENGTH || !draft.fields.has("name")) return;
    report(valueSpan(draft, "name"), {
      message: `the name has ${length} characters, ${MAX_NAME_LENGTH} are allowed`,
      hint: "choose a shorter name",
    });
  },
});
