import { groupBy } from "../../group-by.ts";
import { plural, truncate } from "@skillwright/core/internal";
import type {
  ConfusionRow,
  TriggerMistake,
  TriggerScores,
  TriggerSummary,
} from "../../trigger/trigger-summary.ts";
import { numberText } from "../report-text.ts";
import { firstOf, html, type Markup, type ReportSection, scrollable } from "./markup.ts";
import { rateCells } from "./arm-sections.ts";
import type { CaseLink } from "./comparison-section.ts";

const MOST_ROWS = 30;
const NONE = "none";
const LEVELS = 5;

/** Rows are what was right, columns what was selected. Of many, those with mistakes. */
function confusionTable(confusion: readonly ConfusionRow[]): Markup {
  const sorted = confusion.toSorted((a, b) => mistakesOf(b) - mistakesOf(a));
  const shown = new Set(sorted.slice(0, MOST_ROWS));
  const rows = confusion.filter((row) => shown.has(row));
  const columns = columnsOf(rows);
  const table = html`<table class="confusion">
    <thead>
      <tr>
        <td><small>expected ↓ selected →</small></td>
        ${columns.map((column) => html`<th scope="col"><span>${column ?? NONE}</span></th>`)}
        <th scope="col" class="number"><span>cases</span></th>
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => matrixRow(row, columns))}
    </tbody>
  </table>`;
  const more = confusion.length - rows.length;
  return html`${scrollable("Expected and selected", table)}
    <p class="quiet">
      A cell is a number of cases; in a frame it is
      right.${more > 0 ? ` ${more} more rows with the fewest mistakes are not shown.` : ""}
    </p>`;
}

/** Skills in the order of the rows, so that what is right is the diagonal; none at the end. */
function columnsOf(rows: readonly ConfusionRow[]): (string | undefined)[] {
  const expected = rows.flatMap(({ expected: { skill } }) => skill ?? []);
  const selected = rows.flatMap((row) => row.selected.flatMap(({ skill }) => skill ?? []));
  return [...new Set([...expected, ...selected]), undefined];
}

function matrixRow(row: ConfusionRow, columns: readonly (string | undefined)[]): Markup {
  const { expected, n, selected } = row;
  const counts = new Map(selected.map(({ skill, cases }) => [skill, cases]));
  const cells = columns.map((column) => {
    const count = counts.get(column) ?? 0;
    const isRight = isRightColumn(row, column);
    const level = n === 0 || count === 0 ? 0 : Math.ceil((count / n) * LEVELS);
    const name = `${isRight ? "right" : "wrong"} level-${level}`;
    return html`<td class="${name}">${count === 0 ? "·" : numberText(count)}</td>`;
  });
  const name = expected.kind === "skill" ? (expected.skill ?? "") : expected.kind;
  return html`<tr>
    <th scope="row">${name}</th>
    ${cells}
    <td class="number">${numberText(n)}</td>
  </tr>`;
}

function isRightColumn({ expected, selected }: ConfusionRow, column: string | undefined): boolean {
  if (expected.kind === "skill") return expected.skill === column;
  if (column === undefined) return true;
  const cell = selected.find(({ skill }) => skill === column);
  return expected.kind === "open" && cell !== undefined && cell.wrong === undefined;
}

function mistakesOf(row: ConfusionRow): number {
  return row.selected.reduce((sum, { skill, cases, wrong }) => {
    return isRightColumn(row, skill) ? sum : sum + (wrong ?? cases);
  }, 0);
}

const MOST_GROUPS = 40;
const MOST_QUERIES = 8;

/** Who took whose queries, most first. */
function mistakeTable(mistakes: readonly TriggerMistake[], link: CaseLink): Markup {
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
