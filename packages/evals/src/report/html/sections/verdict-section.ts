import type { EvalComparison } from "../../../compare/eval-comparison.ts";
import type { Verdict } from "../../../summary/eval-summary.ts";
import { outcomeBar, type OutcomeCounts } from "../charts/outcome-bar.ts";
import { html, type Markup } from "../markup.ts";
import type { ReportInput } from "../../report-input.ts";
import type { ReportCase, ReportSide } from "../report-side.ts";

const STATUSES = {
  pass: { sign: "✓", word: "Pass" },
  fail: { sign: "✗", word: "Fail" },
  inconclusive: { sign: "?", word: "Inconclusive" },
  errors: { sign: "!", word: "Errors" },
  "no-data": { sign: "–", word: "No data" },
} as const satisfies Record<Verdict["status"], unknown>;

/** Against a baseline, that decides: what failed before and still does is known. */
const COMPARED = {
  same: { look: "pass", sign: "✓", word: "Not worse" },
  better: { look: "pass", sign: "✓", word: "Better" },
  regression: { look: "fail", sign: "✗", word: "Worse" },
  inconclusive: { look: "inconclusive", sign: "?", word: "Inconclusive" },
  errors: { look: "errors", sign: "!", word: "Errors" },
  "no-data": { look: "no-data", sign: "–", word: "No data" },
} as const satisfies Record<EvalComparison["status"], unknown>;

export function verdictSection(
  { summary, comparison }: ReportInput,
  sides: readonly ReportSide[],
  cases: readonly ReportCase[],
): Markup {
  const { sentence, next } = comparison ?? summary.verdict;
  const { look, sign, word } = headOf({ summary, comparison });
  const notes = [...summary.verdict.notes, ...(comparison?.notes ?? [])];
  const since =
    comparison &&
    html`<p class="since">
      <a href="#comparison">Since before</a>. The cases by themselves: ${summary.verdict.sentence}
    </p>`;
  const said =
    notes.length > 0
      ? html`<ul class="notes">
          ${notes.map((note) => html`<li>${note}</li>`)}
        </ul>`
      : undefined;
  return html`<p class="status ${look}"><b aria-hidden="true">${sign}</b> ${word}</p>
    <h1>${sentence}</h1>
    ${since}
    <p class="next"><span>Next</span> <code>${next}</code></p>
    ${said}
    <div class="bars">${sides.map((side, at) => outcomesOf(side, at, cases))}</div> `;
}

export function verdictWord(input: Verdicts): string {
  return headOf(input).word;
}

type Verdicts = Pick<ReportInput, "summary"> & {
  readonly comparison?: ReportInput["comparison"] | undefined;
};

function headOf({ summary: { verdict }, comparison }: Verdicts) {
  if (comparison !== undefined) return COMPARED[comparison.status];
  return { look: verdict.status, ...STATUSES[verdict.status] };
}

function outcomesOf({ label, arm }: ReportSide, at: number, cases: readonly ReportCase[]): Markup {
  const counts = { pass: 0, flaky: 0, fail: 0, error: 0, unjudged: 0 };
  for (const { sides } of cases) {
    const side = sides[at];
    if (side !== undefined) counts[side.outcome]++;
  }
  const only = arm === "without_skill" ? html` <small>judged by what came out</small>` : undefined;
  return html`<div>
    <h3>${label}${only}</h3>
    ${outcomeBar(counts satisfies OutcomeCounts)}
  </div>`;
}
