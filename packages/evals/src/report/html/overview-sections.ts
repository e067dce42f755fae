import { plural } from "@skillwright/core/internal";
import type { EvalComparison } from "../../compare/eval-comparison.ts";
import type { EvalResults } from "../../results/eval-results.ts";
import type { Verdict } from "../../summary/eval-summary.ts";
import { armLabel, numberText, type ReportInput, timeText } from "../report-text.ts";
import { outcomeBar, type OutcomeCounts } from "./charts.ts";
import { html, type Markup } from "./markup.ts";
import type { ReportCase, ReportSide } from "./report-side.ts";

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

/** Two runs are never the same in when they were. */
const COMPARED_ROWS = new Set([
  "Model",
  "Answers",
  "Judge",
  "Arms",
  "Seed",
  "Cases",
  "Skills",
  "Version",
  "Platform",
]);

/** What has to be the same for it to be done again; of two runs, side by side. */
export function setupSection(results: EvalResults, other: EvalResults | undefined): Markup {
  const runs = other === undefined ? [results] : [results, other];
  const columns = runs.map(rowsOf);
  const names = columns[0]?.map(([name]) => name) ?? [];
  const head =
    other === undefined
      ? undefined
      : html`<thead>
          <tr>
            <td></td>
            <th scope="col">now</th>
            <th scope="col">before</th>
          </tr>
        </thead>`;
  const rows = names.map((name, at) => {
    const values = columns.map((column) => column[at]?.[1] ?? "");
    const isChanged = COMPARED_ROWS.has(name) && new Set(values).size > 1;
    return html`<tr${isChanged ? html` class="changed"` : undefined}><th scope="row">${name}${isChanged ? html` <b aria-label="differs">≠</b>` : undefined}</th>${values.map((value) => html`<td>${value}</td>`)}</tr>`;
  });
  return html`<aside class="setup" aria-label="How to do it again">
    <h2>Reproduce</h2>
    <table>
      ${head}
      <tbody>
        ${rows}
      </tbody>
    </table>
    ${runs.map((run, at) => skillsOf(run, at))}
  </aside> `;
}

function rowsOf({ id, setup, startedAt, endedAt, trials }: EvalResults): [string, string][] {
  const arms = setup.arms.map(({ name, reference, digest }) => {
    const of = [reference, digest && shortDigest(digest)].filter((part) => part !== undefined);
    return of.length === 0 ? armLabel(name) : `${armLabel(name)} (${of.join(", ")})`;
  });
  const lasted = Date.parse(endedAt) - Date.parse(startedAt);
  return [
    ["Model", setup.model],
    ["Answers", setup.isDeterministic ? "always the same" : "vary from trial to trial"],
    ["Judge", setup.judge ?? "none"],
    ["Arms", arms.join(", ")],
    ["Trials", `${numberText(setup.trials)} per case, ${numberText(trials.length)} in all`],
    ["Seed", `${setup.seed}`],
    ["Cases", shortDigest(setup.casesDigest)],
    ["Skills", plural(setup.skills.length, "skill")],
    ["Version", setup.version],
    ["Platform", setup.platform],
    ["Started", startedAt.replace("T", " ").replace(/\.\d+Z$/, " UTC")],
    ["Took", Number.isFinite(lasted) ? timeText(lasted) : "?"],
    ["Eval", id],
  ];
}

function skillsOf({ setup }: EvalResults, at: number): Markup {
  const items = setup.skills.map(
    ({ name, digest }) => html`<li><span>${name}</span> <code>${shortDigest(digest)}</code></li>`,
  );
  return html`<details>
    <summary>Digests of the skills${at === 1 ? " before" : ""}</summary>
    <ul class="digests">
      <li><span>all cases</span> <code>${setup.casesDigest}</code></li>
      ${items}
    </ul>
  </details>`;
}

function shortDigest(digest: string): string {
  const [kind, hash = ""] = digest.split(":", 2);
  return hash.length > 16 ? `${kind}:${hash.slice(0, 16)}…` : digest;
}
