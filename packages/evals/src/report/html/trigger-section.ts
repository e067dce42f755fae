import { groupBy } from "../../group-by.ts";
import { plural, truncate } from "@skillwright/core/internal";
import type {
  ConfusionRow,
  TriggerMistake,
  TriggerSummary,
} from "../../trigger/trigger-summary.ts";
import { numberText } from "../report-text.ts";
import { rateCell } from "./figures.ts";
import {
  firstOf,
  markup,
  type Markup,
  type Part,
  type ReportSection,
  scrollable,
  table,
} from "./markup.ts";
import type { CaseLink } from "./sections.ts";

const MOST_ROWS = 30;
const MOST_SKILLS = 60;
const MOST_GROUPS = 40;
const MOST_QUERIES = 8;
const LEVELS = 5;

/** Undefined when no case says which skills are right. */
export function triggerSection(trigger: TriggerSummary, link: CaseLink): ReportSection | undefined {
  const { n, overall, skills, abstention, left, confusion, mistakes } = trigger;
  if (n === 0) return undefined;
  // The worst first: who reads only the top should read that.
  const sorted = skills.toSorted((a, b) => (a.f1.value ?? 2) - (b.f1.value ?? 2));
  const more = sorted.length - MOST_SKILLS;
  const all = [{ skill: "All skills", ...overall }, ...sorted.slice(0, MOST_SKILLS)];
  const scores = all.map(({ skill, precision, recall, f1 }) => [
    skill,
    ...[precision, recall, f1].map(rateCell),
  ]);
  const rates = [
    ["Selection right", rateCell(overall.correct)],
    ["No skill when none is right", rateCell(abstention.rightly)],
    ["No skill though one is right", rateCell(abstention.wrongly)],
  ];
  const body = [
    table("Selections", ["Selections", "Rate, 95 % interval"], rates),
    leftOut(left),
    table("Precision, recall and F1", ["Skill", "Precision", "Recall", "F1"], scores),
    more > 0 ? markup`<p class="quiet">and ${more} more skills with a higher F1</p>` : undefined,
    markup`<h3>Expected and selected</h3>`,
    confusionTable(confusion),
    mistakeList(mistakes, link),
  ];
  return { id: "trigger", title: "Which skill was selected", body };
}

function leftOut({ errors, mock, silent }: TriggerSummary["left"]): Markup | undefined {
  const parts = [
    ...(errors > 0 ? [`${plural(errors, "trial")} that ended in an error`] : []),
    ...(mock > 0 ? [`${plural(mock, "case")} with fixed actions`] : []),
    ...(silent > 0 ? [`${plural(silent, "case")} that do not say which skill is right`] : []),
  ];
  return parts.length === 0
    ? undefined
    : markup`<p class="quiet">Left out: ${parts.join("; ")}.</p>`;
}

/** Rows are what was right, columns what was selected. Of many, those with mistakes. */
function confusionTable(confusion: readonly ConfusionRow[]): Markup {
  const sorted = confusion.toSorted((a, b) => mistakesOf(b) - mistakesOf(a));
  const shown = new Set(sorted.slice(0, MOST_ROWS));
  const rows = confusion.filter((row) => shown.has(row));
  // Skills in the order of the rows, so that what is right is the diagonal; none at the end.
  const names = [
    ...rows.flatMap(({ expected: { skill } }) => skill ?? []),
    ...rows.flatMap((row) => row.selected.flatMap(({ skill }) => skill ?? [])),
  ];
  const columns = [...new Set(names), undefined];
  const heads = columns.map(
    (column) => markup`<th scope="col"><span>${column ?? "none"}</span></th>`,
  );
  const content = markup`<table class="confusion"><thead><tr><td><small>expected ↓ selected →</small></td>${heads}<th scope="col"><span>cases</span></th></tr></thead><tbody>${rows.map((row) => matrixRow(row, columns))}</tbody></table>`;
  const more = confusion.length - rows.length;
  const left = more > 0 ? ` ${more} more rows with the fewest mistakes are not shown.` : "";
  return markup`${scrollable("Expected and selected", content)}<p class="quiet">A cell is a number of cases; in a frame it is right.${left}</p>`;
}

function matrixRow(row: ConfusionRow, columns: readonly (string | undefined)[]): Markup {
  const { expected, n, selected } = row;
  const counts = new Map(selected.map(({ skill, cases }) => [skill, cases]));
  const cells = columns.map((column) => {
    const count = counts.get(column) ?? 0;
    const level = n === 0 ? 0 : Math.ceil((count / n) * LEVELS);
    const name = `${isRightColumn(row, column) ? "right" : "wrong"} level-${level}`;
    return markup`<td class="${name}">${count === 0 ? "·" : numberText(count)}</td>`;
  });
  const name = expected.kind === "skill" ? (expected.skill ?? "") : expected.kind;
  return markup`<tr><th scope="row">${name}</th>${cells}<td>${numberText(n)}</td></tr>`;
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

/** Who took whose queries, most first. */
function mistakeList(mistakes: readonly TriggerMistake[], link: CaseLink): Markup {
  if (mistakes.length === 0) return markup`<p class="quiet">No query went to a wrong skill.</p>`;
  const groups = [...groupBy(mistakes, headingOf)].sort(([, a], [, b]) => b.length - a.length);
  const groupItem = ([heading, group]: (typeof groups)[number]): Part => {
    const cases = new Set(group.map(({ caseId }) => caseId)).size;
    const items = firstOf(group, MOST_QUERIES, ({ caseId, input, trials, of }) => {
      const often = of > 1 ? markup` <span class="numbers">${trials} of ${of} trials</span>` : "";
      return markup`${link(caseId)} <q>${truncate(input.replaceAll(/\s+/g, " "), 160)}</q>${often}`;
    });
    return markup`<b>${heading}</b> <span class="quiet">${plural(cases, "case")}</span><ul>${items}</ul>`;
  };
  return markup`<h3>Which skill took which query</h3><ul class="items">${firstOf(groups, MOST_GROUPS, groupItem)}</ul>`;
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
