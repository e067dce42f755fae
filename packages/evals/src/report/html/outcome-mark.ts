import type { CaseInArm } from "../../summary/eval-summary.ts";
import { html, type Markup } from "./markup.ts";

type AnyOutcome = CaseInArm["outcome"];

/** A sign and a word for each, so that nothing depends on a colour. */
export const OUTCOMES: Readonly<Record<AnyOutcome, { sign: string; word: string }>> = {
  pass: { sign: "✓", word: "passed" },
  fail: { sign: "✗", word: "failed" },
  flaky: { sign: "~", word: "sometimes" },
  error: { sign: "!", word: "error" },
  unjudged: { sign: "?", word: "not judged" },
};

export function outcomeMark(outcome: AnyOutcome, more = ""): Markup {
  const { sign, word } = OUTCOMES[outcome];
  return html`<span class="mark ${outcome}"
    ><b aria-hidden="true">${sign}</b> ${word}${more}</span
  >`;
}
