import { truncate } from "@skillwright/core/internal";
import type { CostFinding, EvalComparison } from "../../compare/eval-comparison.ts";
import type { CaseFlip } from "../../compare/find-flips.ts";
import type { AnswerPreference } from "../../results/eval-results.ts";
import { formatDifference, formatProbability } from "../../statistics/format-numbers.ts";
import type { AssertionFinding } from "../../summary/eval-summary.ts";
import type { PreferenceSummary } from "../../summary/summarize-preferences.ts";
import { armLabel, numberText, preferenceText, timeText } from "../report-text.ts";
import { intervalChart } from "./charts.ts";
import { firstOf, html, type Markup, type ReportSection, scrollable } from "./markup.ts";

export type CaseLink = (caseId: string) => Markup;

const MOST = 50;
const MOST_CHECKS = 4;

export function comparisonSection(comparison: EvalComparison, link: CaseLink): ReportSection {
  const { status, sentence, next, notes, cases, cost } = comparison;
  const body = html`<p class="lead"><b class="status-word ${status}">${status}</b> ${sentence}</p>
    <p class="next"><span>Next</span> <code>${next}</code></p>
    ${
      notes.length > 0
        ? html`<ul class="notes">
            ${notes.map((note) => html`<li>${note}</li>`)}
          </ul>`
        : undefined
    }
    ${gateOf(comparison)}${changesOf(comparison)}
    ${flipList("Got worse", "✗", cases.regressions, link)}
    ${flipList("Worse, but chance could have done it", "?", cases.suspects, link)}
    ${flipList("Got better", "✓", cases.improvements, link)}
    ${flipList("Passed only sometimes before", "~", cases.quarantined, link)}
    ${idList(
      "No result now",
      cases.errors.filter(({ side }) => side === "now").map(({ caseId }) => caseId),
      link,
    )}
    ${idList(
      "No result before",
      cases.errors.filter(({ side }) => side === "before").map(({ caseId }) => caseId),
      link,
    )}
    ${idList(
      "Changed, and so left out",
      cases.changed.map(({ caseId }) => caseId),
      link,
    )}
    ${idList("New or changed, and failing", cases.failing, link)}
    ${idList("New", cases.added, link)}${idList("Missing now", cases.missing, link)}
    ${costTable(cost)}`;
  return { id: "comparison", title: "Compared with before", body };
}

function gateOf({ gate, test }: EvalComparison): Markup {
  if (gate === null) return html``;
  const { value, low, high } = gate.difference;
  const chart = intervalChart({ value, low, high, from: -1, to: 1, reference: -gate.margin });
  const p = test === null ? "" : `, p ${formatProbability(test.p)} (${test.name}, ${test.method})`;
  return html`<p class="measure">
    ${chart} Pass rate now minus before: ${formatDifference(gate.difference)}${p}. The mark is the
    loss that is allowed, ${Math.round(gate.margin * 100)} points.
  </p>`;
}

function changesOf({ changes }: EvalComparison): Markup {
  const { model, judge, version, skills, areCasesChanged } = changes;
  const items = [
    ...(model === null ? [] : [`model ${model.before} → ${model.now}`]),
    ...(judge === null ? [] : [`judge ${judge.before} → ${judge.now}`]),
    ...(version === null ? [] : [`version ${version.before} → ${version.now}`]),
    ...(areCasesChanged ? ["the cases"] : []),
    ...skills.map(({ name, change }) => `skill ${name} ${change}`),
  ];
  if (items.length === 0)
    return html`<p class="quiet">Model, judge, skills, cases and version are the same.</p>`;
  return html`<h3>What changed in the setup</h3>
    <ul class="plain">
      ${firstOf(items, MOST, (item) => html`<li>${item}</li>`)}
    </ul>`;
}

function flipList(title: string, sign: string, flips: readonly CaseFlip[], link: CaseLink): Markup {
  if (flips.length === 0) return html``;
  const item = ({ caseId, title: about, before, now, checks, p }: CaseFlip) => {
    const shares = `${before.passed} of ${before.judged} → ${now.passed} of ${now.judged}`;
    const chance = p === undefined ? "" : `, p ${formatProbability(p)}`;
    return html`<li>
      <b aria-hidden="true">${sign}</b>
      <span
        >${link(caseId)} ${truncate(about, 160)}
        <span class="checks"
          >${checks
            .slice(0, MOST_CHECKS)
            .map((check) => truncate(check, 160))
            .join(
              " · ",
            )}${checks.length > MOST_CHECKS ? ` and ${checks.length - MOST_CHECKS} more` : ""}</span
        ></span
      >
      <span class="numbers">${shares}${chance}</span>
    </li>`;
  };
  const isOpen = sign === "✗" || sign === "✓";
  return html`<details${isOpen ? html` open` : undefined}><summary>${title} <small>${flips.length}</small></summary><ul class="flips">${firstOf(flips, MOST, item)}</ul></details>`;
}

function idList(title: string, ids: readonly string[], link: CaseLink): Markup {
  if (ids.length === 0) return html``;
  return html`<h3>${title} <small>${ids.length}</small></h3>
    <ul class="inline">
      ${firstOf(ids, MOST, (id) => html`<li>${link(id)}</li>`)}
    </ul>`;
}

function costTable(cost: readonly CostFinding[]): Markup {
  if (cost.length === 0) return html``;
  const rows = cost.map(({ measure, before, now, ratio, budget, isRegression }) => {
    const show = measure === "timeMs" ? timeText : numberText;
    const grown =
      ratio === null
        ? "–"
        : `× ${numberText(ratio.value)} (${numberText(ratio.low)} to ${ratio.high === null ? "any" : numberText(ratio.high)}, ${ratio.n} cases)`;
    const allowed = budget === null ? "–" : `× ${numberText(1 + budget)}`;
    return html`<tr>
      <th scope="row">${MEASURES[measure]}</th>
      <td>${show(before)}</td>
      <td>${show(now)}</td>
      <td>${grown}</td>
      <td>${allowed}${isRegression ? html` <b class="mark fail">✗ exceeded</b>` : undefined}</td>
    </tr>`;
  });
  const table = html`<table class="data">
    <thead>
      <tr>
        <th scope="col">Measure</th>
        <th scope="col">before</th>
        <th scope="col">now</th>
        <th scope="col">ratio, 95 % interval</th>
        <th scope="col">allowed</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
  return html`<h3>Cost per case</h3>
    ${scrollable("Cost per case", table)}`;
}

const MEASURES = {
  tokens: "Tokens",
  toolCalls: "Tool calls",
  turns: "Turns",
  timeMs: "Time",
  cost: "Cost",
} as const satisfies Record<CostFinding["measure"], string>;

const MOST_ASSERTIONS = 40;

const ASSERTION_KINDS = [
  ["harmful", "Pass less with the skill"],
  ["always-fails", "Fail in every arm"],
  ["flaky", "Pass only sometimes"],
  ["never-discriminates", "Pass with the skill and without: they tell nothing about it"],
] as const satisfies readonly (readonly [AssertionFinding["kind"], string])[];

/** Undefined when every check tells something. */
export function assertionsSection(
  findings: readonly AssertionFinding[],
  link: CaseLink,
): ReportSection | undefined {
  if (findings.length === 0) return undefined;
  const groups = ASSERTION_KINDS.map(([kind, title]) => {
    const own = findings.filter((finding) => finding.kind === kind);
    if (own.length === 0) return undefined;
    return html`<details${kind === "never-discriminates" && findings.length > 12 ? undefined : html` open`}><summary>${title} <small>${own.length}</small></summary><ul class="findings">${firstOf(own, MOST_ASSERTIONS, (finding) => findingItem(finding, link))}</ul></details>`;
  });
  return { id: "assertions", title: "Checks to look at", body: html`${groups}` };
}

function findingItem({ caseId, metric, text, arms }: AssertionFinding, link: CaseLink): Markup {
  const shares = arms.map(({ arm, passed, judged }) => `${armLabel(arm)} ${passed} of ${judged}`);
  return html`<li>
    ${link(caseId)} <span class="tag">${metric}</span> ${truncate(text, 200)}
    <span class="numbers">${shares.join(", ")}</span>
  </li>`;
}

const MOST_PREFERENCES = 50;
const MAX_EVIDENCE = 400;

type Kind = "second" | "order" | "error" | "first" | "tie";

const PREFERENCE_KINDS = [
  ["second", "✗", "The other arm is preferred"],
  ["order", "~", "It depends on the order"],
  ["error", "!", "Could not be compared"],
  ["first", "✓", "The tested arm is preferred"],
  ["tie", "=", "Neither is better"],
] as const satisfies readonly (readonly [Kind, string, string])[];

/** What the judge prefers, and why. Undefined when nobody compared answers. */
export function preferencesSection(
  summaries: readonly PreferenceSummary[],
  preferences: readonly AnswerPreference[],
  link: CaseLink,
): ReportSection | undefined {
  if (summaries.length === 0) return undefined;
  const body = summaries.map((summary) => {
    const own = preferences.filter(({ other }) => other === summary.other);
    return html`<h3>Against ${armLabel(summary.other)}</h3>
      <p class="lead">${summary.sentence}</p>
      <p class="quiet">
        ${preferenceText(summary)}. Each pair of answers was judged in both orders; several trials
        of a case count once.
      </p>
      ${PREFERENCE_KINDS.map(([kind, sign, title]) =>
        kindList(
          title,
          sign,
          own.filter((one) => kindOf(one) === kind),
          link,
        ),
      )}`;
  });
  return { id: "preferences", title: "What the judge prefers", body: html`${body}` };
}

function kindOf(preference: AnswerPreference): Kind {
  if ("error" in preference) return "error";
  return preference.dependsOnOrder === true ? "order" : preference.winner;
}

function kindList(
  title: string,
  sign: string,
  preferences: readonly AnswerPreference[],
  link: CaseLink,
): Markup {
  if (preferences.length === 0) return html``;
  const item = (preference: AnswerPreference) =>
    html`<li>
      <b aria-hidden="true">${sign}</b>
      <span
        >${link(preference.caseId)}
        <span class="checks">${truncate(reasonOf(preference), MAX_EVIDENCE)}</span></span
      >
      <span class="numbers">trial ${preference.trial}</span>
    </li>`;
  const isOpen = sign === "✗" || sign === "!";
  return html`<details${isOpen ? html` open` : undefined}><summary>${title} <small>${preferences.length}</small></summary><ul class="flips">${firstOf(preferences, MOST_PREFERENCES, item)}</ul></details>`;
}

function reasonOf(preference: AnswerPreference): string {
  if ("evidence" in preference) return preference.evidence;
  return `${preference.error.code}: ${preference.error.message}`;
}
