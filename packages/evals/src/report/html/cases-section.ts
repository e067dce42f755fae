import { plural, truncate } from "@skillwright/core/internal";
import type { TrialResult } from "../../results/eval-results.ts";
import { html, type Markup, type ReportSection } from "./markup.ts";
import { timeText } from "../report-text.ts";
import { outcomeMark, OUTCOMES } from "./charts.ts";
import type { CaseOnSide, ReportCase, ReportSide } from "./report-side.ts";

const MOST_GRADES = 5;
/** On a page. The script of the report makes the rows of the others. */
const CASES_PER_PAGE = 100;

/**
 * One line for each case of the first page, which opens. What is in it here is short and can be read without a script;
 * the script makes the other pages, and puts grades, timeline, transcript and diff in the place of what is short.
 */
export function casesSection(
  sides: readonly ReportSide[],
  cases: readonly ReportCase[],
  note: string | undefined,
): ReportSection {
  const more = cases.length - CASES_PER_PAGE;
  const body = html`${toolbar(cases)}
    ${note === undefined ? undefined : html`<p class="quiet">${note}</p>`}
    <p class="empty" hidden>No case is like that.</p>
    <div
      class="cases"
      data-sides="${sides.length}"
      data-total="${cases.length}"
      data-page="${CASES_PER_PAGE}"
    >
      <div class="heads" aria-hidden="true">
        <span>Case</span>${sides.map(({ label }) => html`<span>${label}</span>`)}
      </div>
      ${cases.slice(0, CASES_PER_PAGE).map((one, at) => caseRow(one, at, sides))}
    </div>
    ${more > 0 ? html`<noscript><p class="quiet">${plural(more, "more case")} can be seen with JavaScript.</p></noscript>` : undefined}
    <nav class="pager" aria-label="Pages of cases" hidden>
      <button type="button" value="-1">Previous</button><output></output
      ><button type="button" value="1">Next</button>
    </nav> `;
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
  return html`<form class="toolbar" role="search" hidden>
    <fieldset>
      <legend>Show</legend>
      ${filters.map(
        ([value, name, cases]) =>
          html`<label
            ><input
              type="radio"
              name="filter"
              value="${value}"
              ${value === "all" ? html` checked` : undefined}
            /><span>${name} <small>${cases}</small></span></label
          >`,
      )}
    </fieldset>
    <input
      type="search"
      id="search"
      placeholder="Search cases, answers, evidence"
      aria-label="Search"
      autocomplete="off"
      spellcheck="false"
      aria-keyshortcuts="/"
    /><output for="search" aria-live="polite"></output
    ><button type="button" id="help-button" aria-keyshortcuts="?">Keys <kbd>?</kbd></button>
  </form>`;
}

function caseRow(one: ReportCase, at: number, sides: readonly ReportSide[]): Markup {
  const { id, about } = one;
  return html`<details class="case" id="case-${at}" data-kinds="${caseKinds(one)}">
    <summary>
      <span class="name">${truncate(about.title, 160)} <small>${truncate(id, 120)}</small></span
      >${one.sides.map((side, place) => sideCell(side, sides[place]?.label ?? ""))}
    </summary>
    <div class="inside">${plainCase(about, one.sides)}</div>
  </details>`;
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
  if (side === undefined) return html`<span data-side="${label}" class="quiet">–</span>`;
  const { outcome } = side;
  const { sign, word } = OUTCOMES[outcome];
  const more = outcomeDetail(side);
  return html`<span data-side="${label}" class="mark ${outcome}"
    >${sign} ${word}${more && ` ${more}`}</span
  >`;
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
  if (problems.length === 0) return html`${truncate(input, 400)} → ${truncate(answer, 200)}`;
  return html`<p class="request">${truncate(input, 400)}</p>
    <ul>
      ${problems.slice(0, MOST_GRADES)}
    </ul>`;
}

function problemsOf({ error, grades, usage, outcome: ofTrial }: TrialResult): Markup[] {
  const bad = grades.filter(
    ({ outcome }) =>
      outcome === "fail" ||
      outcome === "error" ||
      (outcome === "unjudged" && ofTrial === "unjudged"),
  );
  const ended =
    error === undefined
      ? []
      : [
          html`<li>
            ${outcomeMark("error")} ${error.code} after ${timeText(usage.timeMs)}:
            ${truncate(error.message, 300)}
          </li>`,
        ];
  return [
    ...ended,
    ...bad.map(
      ({ outcome, text, evidence }) =>
        html`<li>
          ${outcomeMark(outcome)} ${truncate(text, 200)}
          ${evidence.includes("\n") ? html`<pre>${truncate(evidence, 400)}</pre>` : html`<span class="quiet">${truncate(evidence, 200)}</span>`}
        </li>`,
    ),
  ];
}
