import { plural, truncate } from "@skillwright/core/internal";
import type { TrialResult } from "../../results/eval-results.ts";
import { timeText } from "../report-text.ts";
import { outcomeMark, OUTCOMES } from "./figures.ts";
import { markup, type Markup, type ReportSection } from "./markup.ts";
import type { CaseOnSide, ReportCase, ReportSide } from "./report-side.ts";

const MOST_GRADES = 5;
/** On a page. The script of the report makes the rows of the others. */
const CASES_PER_PAGE = 100;

/**
 * One line for each case of the first page, which opens. What is in it here is short and can be read without a script;
 * the script makes the other pages, and puts grades and steps in the place of what is short.
 */
export function casesSection(
  sides: readonly ReportSide[],
  cases: readonly ReportCase[],
  note: string | undefined,
): ReportSection {
  const more = cases.length - CASES_PER_PAGE;
  const left =
    more > 0
      ? markup`<noscript><p class="quiet">${plural(more, "more case")} can be seen with JavaScript.</p></noscript>`
      : undefined;
  const body = markup`${toolbar(cases)}${note === undefined ? undefined : markup`<p class="quiet">${note}</p>`}
<p class="empty" hidden>No case is like that.</p>
<div class="cases" data-total="${cases.length}" data-page="${CASES_PER_PAGE}">
${cases.slice(0, CASES_PER_PAGE).map((one, at) => caseRow(one, at, sides))}</div>
${left}<nav class="pager" aria-label="Pages of cases" hidden><button type="button" value="-1">Previous</button> <output></output> <button type="button" value="1">Next</button></nav>`;
  return { id: "cases", title: "Cases", body };
}

function toolbar(cases: readonly ReportCase[]): Markup {
  const count = (isKept: (one: ReportCase) => boolean) => cases.filter(isKept).length;
  const filters = [
    ["all", "All", cases.length],
    ["failed", "Failed", count(({ isFailed }) => isFailed)],
    ["different", "Different", count(({ isDifferent }) => isDifferent)],
    ["errors", "Errors", count(({ hasError }) => hasError)],
  ] as const;
  const options = filters.map(
    ([value, name, cases]) =>
      markup`<label><input type="radio" name="filter" value="${value}"${value === "all" ? markup` checked` : ""}> ${name} <small>${cases}</small></label>`,
  );
  return markup`<form class="toolbar" role="search" hidden>${options}<input type="search" id="search" placeholder="Search cases, answers, evidence" aria-label="Search" autocomplete="off" spellcheck="false"> <output for="search" aria-live="polite"></output></form>`;
}

function caseRow(one: ReportCase, at: number, sides: readonly ReportSide[]): Markup {
  const { id, about } = one;
  const cells = one.sides.map((side, place) => sideCell(side, sides[place]?.label ?? ""));
  return markup`<details class="case" id="case-${at}" data-kinds="${caseKinds(one)}"><summary><span class="name">${truncate(about.title, 160)} <small>${truncate(id, 120)}</small></span>${cells}</summary><div class="inside">${plainCase(about, one.sides)}</div></details>
`;
}

/** What the filters of the list look at. */
export function caseKinds({ isFailed, isDifferent, hasError }: ReportCase): string {
  const kinds = { failed: isFailed, different: isDifferent, errors: hasError };
  return Object.entries(kinds)
    .flatMap(([kind, isSo]) => (isSo ? kind : []))
    .join(" ");
}

/** As few elements as can be: there is one for every side of every case. */
function sideCell(side: CaseOnSide | undefined, label: string): Markup {
  if (side === undefined) return markup`<span class="quiet"><small>${label}</small> –</span>`;
  const { sign, word } = OUTCOMES[side.outcome];
  const more = outcomeDetail(side);
  return markup`<span class="mark ${side.outcome}"><small>${label}</small> ${sign} ${word}${more && ` ${more}`}</span>`;
}

/** The code of an error, or in how many trials of several a case passed. */
export function outcomeDetail({ outcome, passed, judged, trials }: CaseOnSide): string {
  if (outcome === "error") {
    const error = trials.find((trial) => trial.error !== undefined)?.error;
    return error === undefined ? "" : truncate(error.code, 24);
  }
  return judged > 1 ? `${passed}/${judged}` : "";
}

function plainCase({ input, answer }: TrialResult, sides: ReportCase["sides"]): Markup {
  const problems = sides[0]?.trials.flatMap(problemsOf) ?? [];
  const first = problems.slice(0, MOST_GRADES);
  const shown =
    first.length === 0 ? markup`<p>${truncate(answer, 200)}</p>` : markup`<ul>${first}</ul>`;
  return markup`<p class="request">${truncate(input, 400)}</p>${shown}`;
}

function problemsOf({ error, grades, usage, outcome: ofTrial }: TrialResult): Markup[] {
  const isBad = ({ outcome }: TrialResult["grades"][number]) =>
    outcome === "fail" || outcome === "error" || (outcome === "unjudged" && ofTrial === "unjudged");
  const ended =
    error &&
    markup`<li>${outcomeMark("error")} ${error.code} after ${timeText(usage.timeMs)}: ${truncate(error.message, 300)}</li>`;
  const bad = grades
    .filter(isBad)
    .slice(0, MOST_GRADES)
    .map(
      ({ outcome, text, evidence }) =>
        markup`<li>${outcomeMark(outcome)} ${truncate(text, 200)} <span class="evidence">${truncate(evidence, 400)}</span></li>`,
    );
  return ended === undefined ? bad : [ended, ...bad];
}
