import type { Finding } from "../../reporter.ts";
import { defineRule } from "../draft-rule.ts";

export const keyMisspelt = defineRule({
  code: "key-misspelt",
  severity: "warning",
  strict: "error",
  summary: "A key is spelt differently from the one that was meant.",
  explanation:
    "Other clients ignore the line, so that the skill quietly loses its tools or its visibility. `skillwright lint --fix` renames keys whose meaning is certain.",
  example: {
    bad: "user-invokable: false",
    good: "user-invocable: false",
  },
});

/** A key that is used as the one that was meant. */
export function misspeltKey(
  key: string,
  meant: string,
  span: { readonly start: number; readonly end: number },
): Finding {
  return {
    ...span,
    message: `\`${key}\` is read as \`${meant}\``,
    hint: `rename it to \`${meant}\``,
    fix: [{ ...span, text: meant }],
  };
}
