import { truncate } from "@skillwright/core/internal";
import type { AnswerPreference } from "../../../results/eval-results.ts";
import type { PreferenceSummary } from "../../../summary/summarize-preferences.ts";
import { armLabel } from "../../arm-label.ts";
import { preferenceText } from "../../preference-text.ts";
import { html, type Markup } from "../markup.ts";
import type { CaseLink } from "./comparison-section.ts";
import { firstOf, type ReportSection } from "./section.ts";

const MOST = 50;
const MAX_EVIDENCE = 400;

type Kind = "second" | "order" | "error" | "first" | "tie";

const KINDS = [
  ["second", "✗", "The other arm is preferred"],
  ["order", "~", "It depends on the order"],
  ["error", "!", "Could not be compared"],
  ["first", "✓", "The tested arm is preferred"],
  ["tie", "=", "Neither is better"],
] as const satisfies readonly (readonly [Kind, string, string])[];

/** What the judge prefers, and why. Undefined when nobody compared answers. */
export function preferencesSection(
  summaries: readonly PreferenceSummary[],
  preferences: readonly AnswerPreference[],
  link: CaseLink,
): ReportSection | undefined {
  if (summaries.length === 0) return undefined;
  const body = summaries.map((summary) => {
    const own = preferences.filter(({ other }) => other === summary.other);
    return html`<h3>Against ${armLabel(summary.other)}</h3>
      <p class="lead">${summary.sentence}</p>
      <p class="quiet">
        ${preferenceText(summary)}. Each pair of answers was judged in both orders; several trials
        of a case count once.
      </p>
      ${KINDS.map(([kind, sign, title]) =>
        kindList(
          title,
          sign,
          own.filter((one) => kindOf(one) === kind),
          link,
        ),
      )}`;
  });
  return { id: "preferences", title: "What the judge prefers", body: html`${body}` };
}

function kindOf(preference: AnswerPreference): Kind {
  if ("error" in preference) return "error";
  return preference.dependsOnOrder === true ? "order" : preference.winner;
}

function kindList(
  title: string,
  sign: string,
  preferences: readonly AnswerPreference[],
  link: CaseLink,
): Markup {
  if (preferences.length === 0) return html``;
  const item = (preference: AnswerPreference) =>
    html`<li>
      <b aria-hidden="true">${sign}</b>
      <span
        >${link(preference.caseId)}
        <span class="checks">${truncate(reasonOf(preference), MAX_EVIDENCE)}</span></span
      >
      <span class="numbers">trial ${preference.trial}</span>
    </li>`;
  const isOpen = sign === "✗" || sign === "!";
  return html`<details${isOpen ? html` open` : undefined}><summary>${title} <small>${preferences.length}</small></summary><ul class="flips">${firstOf(preferences, MOST, item)}</ul></details>`;
}

function reasonOf(preference: AnswerPreference): string {
  if ("evidence" in preference) return preference.evidence;
  return `${preference.error.code}: ${preference.error.message}`;
}
