import { plural } from "@skillwright/core/internal";
import type { TriggerScores, TriggerSummary } from "../../../trigger/trigger-summary.ts";
import { html, type Markup } from "../markup.ts";
import { rateCells } from "./arms-section.ts";
import type { CaseLink } from "./comparison-section.ts";
import { confusionTable } from "./confusion-table.ts";
import { mistakeTable } from "./mistake-table.ts";
import { type ReportSection, scrollable } from "./section.ts";

const MOST_SKILLS = 60;

/** Undefined when no case says which skills are right. */
export function triggerSection(trigger: TriggerSummary, link: CaseLink): ReportSection | undefined {
  const { n, overall, skills, abstention, left, confusion, mistakes } = trigger;
  if (n === 0) return undefined;
  // The worst first: who reads only the top should read that.
  const sorted = skills.toSorted((a, b) => (a.f1.value ?? 2) - (b.f1.value ?? 2));
  const more = sorted.length - MOST_SKILLS;
  const rows = [
    scoreRow("All skills", overall),
    ...sorted.slice(0, MOST_SKILLS).map((scores) => scoreRow(scores.skill, scores)),
  ];
  const head = html`<thead>
    <tr>
      <th scope="col" rowspan="2">Skill</th>
      ${["Precision", "Recall", "F1"].map((name) => html`<th scope="colgroup" colspan="3">${name}</th>`)}
    </tr>
    <tr>
      ${[1, 2, 3].map(
        () =>
          html`<th scope="col" class="number">Rate</th>
            <th scope="col">95 % interval</th>
            <th scope="col" class="number">n</th>`,
      )}
    </tr>
  </thead>`;
  const body = html`<div class="tiles">
      ${tile("Selection right", overall.correct)}${tile("No skill when none is right", abstention.rightly)}${tile("No skill though one is right", abstention.wrongly)}
    </div>
    ${leftOut(left)}
    ${scrollable(
      "Precision, recall and F1",
      html`<table class="data scores">
        ${head}
        <tbody>
          ${rows}
        </tbody>
      </table>`,
    )}
    ${more > 0 ? html`<p class="quiet">and ${more} more skills with a higher F1</p>` : undefined}
    <h3>Expected and selected</h3>
    ${confusionTable(confusion)} ${mistakeTable(mistakes, link)}`;
  return { id: "trigger", title: "Which skill was selected", body };
}

function scoreRow(name: string, { precision, recall, f1 }: TriggerScores): Markup {
  return html`<tr>
    <th scope="row">${name}</th>
    ${rateCells(precision)}${rateCells(recall)}${rateCells(f1)}
  </tr>`;
}

function tile(title: string, rate: TriggerScores["precision"]): Markup {
  return html`<table class="tile">
    <caption>
      ${title}
    </caption>
    <tbody>
      <tr>
        ${rateCells(rate)}
      </tr>
    </tbody>
  </table>`;
}

function leftOut({ errors, mock, silent }: TriggerSummary["left"]): Markup {
  const parts = [
    ...(errors > 0 ? [`${plural(errors, "trial")} that ended in an error`] : []),
    ...(mock > 0 ? [`${plural(mock, "case")} with fixed actions`] : []),
    ...(silent > 0 ? [`${plural(silent, "case")} that do not say which skill is right`] : []),
  ];
  return parts.length === 0 ? html`` : html`<p class="quiet">Left out: ${parts.join("; ")}.</p>`;
}
