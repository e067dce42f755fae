import { plural, truncate } from "@skillwright/core/internal";
import { groupBy } from "../../../summary/group-by.ts";
import type { TriggerMistake } from "../../../trigger/trigger-summary.ts";
import { html, type Markup } from "../markup.ts";
import type { CaseLink } from "./comparison-section.ts";
import { firstOf } from "./section.ts";

const MOST_GROUPS = 40;
const MOST_QUERIES = 8;

/** Who took whose queries, most first. */
export function mistakeTable(mistakes: readonly TriggerMistake[], link: CaseLink): Markup {
  if (mistakes.length === 0) return html`<p class="quiet">No query went to a wrong skill.</p>`;
  const groups = [...groupBy(mistakes, headingOf)].sort(([, a], [, b]) => b.length - a.length);
  const item = ([heading, group]: (typeof groups)[number]) =>
    html`<li>
      <b>${heading}</b>
      <span class="quiet">${plural(new Set(group.map(({ caseId }) => caseId)).size, "case")}</span>
      <ul>
        ${firstOf(group, MOST_QUERIES, (mistake) => queryItem(mistake, link))}
      </ul>
    </li>`;
  return html`<h3>Which skill took which query</h3>
    <ul class="mistakes">
      ${firstOf(groups, MOST_GROUPS, item)}
    </ul>`;
}

function queryItem({ caseId, input, trials, of }: TriggerMistake, link: CaseLink): Markup {
  const often = of > 1 ? html` <span class="numbers">${trials} of ${of} trials</span>` : undefined;
  return html`<li>
    ${link(caseId)} <q>${truncate(input.replaceAll(/\s+/g, " "), 160)}</q>${often}
  </li>`;
}

function headingOf({ kind, skill, expected }: TriggerMistake): string {
  const wanted = expected.length > 0 ? expected.join(", ") : "no skill";
  if (kind === "missed") return `${skill} was missed`;
  if (kind === "stolen") return `${skill} took what belongs to ${wanted}`;
  if (kind === "extra") return `${skill} came on top of ${wanted}`;
  return kind === "forbidden"
    ? `${skill} was selected, though named as wrong`
    : `${skill} was selected, though no skill is right`;
}
