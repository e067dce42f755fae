import { plural } from "@skillwright/core/internal";
import type { EvalResults } from "../../../results/eval-results.ts";
import { html, type Markup } from "../markup.ts";
import { numberText, timeText } from "../../number-text.ts";
import { armLabel } from "../../arm-label.ts";

/** Two runs are never the same in when they were. */
const COMPARED = new Set([
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
    const isChanged = COMPARED.has(name) && new Set(values).size > 1;
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
