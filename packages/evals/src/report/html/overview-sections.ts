import { plural } from "@skillwright/core/internal";
import type { EvalComparison } from "../../compare/eval-comparison.ts";
import type { EvalResults } from "../../results/eval-results.ts";
import type { Verdict } from "../../summary/eval-summary.ts";
import { armLabel, numberText, type ReportInput, timeText } from "../report-text.ts";
import { OUTCOMES } from "./figures.ts";
import { markup, type Markup } from "./markup.ts";
import type { ReportCase, ReportSide } from "./report-side.ts";

const STATUSES = {
  pass: { look: "pass", sign: "✓", word: "Pass" },
  fail: { look: "fail", sign: "✗", word: "Fail" },
  same: { look: "pass", sign: "✓", word: "Not worse" },
  better: { look: "pass", sign: "✓", word: "Better" },
  regression: { look: "fail", sign: "✗", word: "Worse" },
  inconclusive: { look: "inconclusive", sign: "?", word: "Inconclusive" },
  errors: { look: "errors", sign: "!", word: "Errors" },
  "no-data": { look: "no-data", sign: "–", word: "No data" },
} as const satisfies Record<Verdict["status"] | EvalComparison["status"], unknown>;

/** Against a baseline, that decides: what failed before and still does is known. */
export function verdictHead({ summary, comparison }: ReportInput) {
  return STATUSES[(comparison ?? summary.verdict).status];
}

export function verdictSection(
  input: ReportInput,
  sides: readonly ReportSide[],
  cases: readonly ReportCase[],
): Markup {
  const { summary, comparison } = input;
  const { sentence, next } = comparison ?? summary.verdict;
  const { look, sign, word } = verdictHead(input);
  const since =
    comparison &&
    markup`<p class="since"><a href="#comparison">Since before</a>. The cases by themselves: ${summary.verdict.sentence}</p>`;
  return markup`<p class="status ${look}"><b aria-hidden="true">${sign}</b> ${word}</p>
<h1>${sentence}</h1>${since}
<p class="next"><span>Next</span> <code>${next}</code></p>
${notesList([...summary.verdict.notes, ...(comparison?.notes ?? [])])}
${sides.map((side, at) => outcomesOf(side, at, cases))}`;
}

export function notesList(notes: readonly string[]): Markup | undefined {
  if (notes.length === 0) return undefined;
  return markup`<ul class="notes">${notes.map((note) => markup`<li>${note}</li>`)}</ul>`;
}

/** How many of the cases ended how. */
function outcomesOf({ label, arm }: ReportSide, at: number, cases: readonly ReportCase[]): Markup {
  const counts = { pass: 0, flaky: 0, fail: 0, error: 0, unjudged: 0 };
  for (const { sides } of cases) {
    const side = sides[at];
    if (side !== undefined) counts[side.outcome]++;
  }
  const only = arm === "without_skill" ? markup` <small>judged by what came out</small>` : "";
  const items = (Object.keys(counts) as (keyof typeof counts)[])
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => {
      const { sign, word } = OUTCOMES[outcome];
      const shown = outcome === "error" && counts.error > 1 ? "errors" : word;
      return markup`<li class="mark ${outcome}"><b aria-hidden="true">${sign}</b> ${numberText(counts[outcome])} ${shown}</li>`;
    });
  return markup`<h3>${label}${only}</h3><ul class="counts">${items}</ul>`;
}

/** Two runs always differ in when they were. */
const TIMES = new Set(["Trials", "Started", "Took", "Eval"]);

/** What has to be the same for it to be done again; of two runs, side by side. */
export function setupSection(results: EvalResults, other: EvalResults | undefined): Markup {
  const runs = other === undefined ? [results] : [results, other];
  const columns = runs.map(rowsOf);
  const head =
    other &&
    markup`<thead><tr><td></td><th scope="col">now</th><th scope="col">before</th></tr></thead>`;
  const rows = (columns[0] ?? []).map(([name], at) => {
    const values = columns.map((column) => column[at]?.[1] ?? "");
    const isChanged = !TIMES.has(name) && new Set(values).size > 1;
    const sign = isChanged ? markup` <b aria-label="differs">≠</b>` : undefined;
    return markup`<tr><th scope="row">${name}${sign}</th>${values.map((value) => markup`<td>${value}</td>`)}</tr>`;
  });
  return markup`<aside class="setup" aria-label="How to do it again"><h2>Reproduce</h2><table>${head}<tbody>${rows}</tbody></table>${runs.map(skillsOf)}</aside>`;
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
  const all = [{ name: "all cases", digest: setup.casesDigest }, ...setup.skills];
  const items = all.map(
    ({ name, digest }) => markup`<li>${name} <code>${shortDigest(digest)}</code></li>`,
  );
  return markup`<details><summary>Digests of the skills${at === 1 ? " before" : ""}</summary><ul class="items">${items}</ul></details>`;
}

function shortDigest(digest: string): string {
  const [kind, hash = ""] = digest.split(":", 2);
  return hash.length > 16 ? `${kind}:${hash.slice(0, 16)}…` : digest;
}
