import { plural, truncate } from "@skillwright/core/internal";
import type { CostFinding, EvalComparison } from "../../compare/eval-comparison.ts";
import type { CaseFlip } from "../../compare/find-flips.ts";
import type { AnswerPreference } from "../../results/eval-results.ts";
import { formatDifference, formatProbability } from "../../statistics/format-numbers.ts";
import type {
  AssertionFinding,
  CheckedArm,
  CostRatio,
  CostSummary,
  Distribution,
  EvalSummary,
} from "../../summary/eval-summary.ts";
import type { PairedComparison } from "../../summary/paired-comparison.ts";
import type { PreferenceSummary } from "../../summary/summarize-preferences.ts";
import { armLabel, numberText, preferenceText, timeText } from "../report-text.ts";
import { intervalChart, rateCell } from "./figures.ts";
import {
  firstOf,
  foldedList,
  markup,
  type Markup,
  type Part,
  type ReportSection,
  table,
} from "./markup.ts";
import { notesList } from "./overview-sections.ts";

/** Leads to the row of a case. */
export type CaseLink = (caseId: string) => Markup;

const MOST = 50;

/** What passed in each arm, and whether the arms differ. */
export function armsSection({ verdict, sequence, output, cost }: EvalSummary): ReportSection {
  // Without the skill it can neither be selected nor followed: "everything" would say nothing.
  const tested = verdict.arms.filter(({ arm }) => arm !== "without_skill");
  const checked = (what: string, { arm, passed, score, checks, errors, unjudged }: CheckedArm) => {
    const mean = `mean score ${numberText(score ?? 0)} of ${plural(checks, "check")}`;
    const beside = [mean, leftOut(errors, unjudged)].filter((part) => part !== "").join(", ");
    return checks === 0 ? [] : [[what, armLabel(arm), rateCell(passed), beside]];
  };
  const rows: Part[][] = [
    ...tested.map(({ arm, passed, errors, unjudged }) => {
      const trials = passed.trials > passed.n ? `${numberText(passed.trials)} trials` : "";
      const beside = [trials, leftOut(errors, unjudged)].filter((part) => part !== "").join(", ");
      return ["Everything", armLabel(arm), rateCell(passed), beside];
    }),
    ...tested.flatMap(({ arm, repeated }) =>
      repeated
        .filter(({ k }) => k > 1)
        .flatMap(({ k, atLeastOne, all }) => [
          [`At least one of ${k} (pass@${k})`, armLabel(arm), rateCell(atLeastOne), ""],
          [`All of ${k} (pass^${k})`, armLabel(arm), rateCell(all), ""],
        ]),
    ),
    ...output.arms.flatMap((arm) => checked("Output", arm)),
    ...sequence.arms.flatMap((arm) => checked("Sequence", arm)),
    ...cost.arms.flatMap(({ arm, withinLimits }) =>
      withinLimits.n > 0 ? [["Limits kept", armLabel(arm), rateCell(withinLimits), ""]] : [],
    ),
  ];
  const passed = table(
    "What passed",
    ["Passed", "Arm", "Rate, 95 % interval", "Beside that"],
    rows,
  );
  return { id: "arms", title: "What passed", body: [passed, pairsOf(verdict, sequence, output)] };
}

function leftOut(errors: number, unjudged: number): string {
  const parts = [
    ...(errors > 0 ? [plural(errors, "error")] : []),
    ...(unjudged > 0 ? [`${unjudged} not judged`] : []),
  ];
  return parts.join(", ");
}

type Paired = Pick<EvalSummary, "verdict" | "sequence" | "output">;

function pairsOf(
  verdict: Paired["verdict"],
  sequence: Paired["sequence"],
  output: Paired["output"],
): Part {
  const all = [
    ...verdict.paired.map((one) =>
      row(one.second === "without_skill" ? "Output" : "Everything", one),
    ),
    ...sequence.paired.map((one) => row("Sequence", one)),
    ...output.paired
      .filter(({ second }) => second !== "without_skill")
      .map((one) => row("Output", one)),
  ];
  const head = [
    "Passed",
    "Both, only first, only second, neither",
    "Difference in points, 95 % interval",
    "p",
  ];
  const title = "The same cases in both arms";
  const [first] = verdict.paired;
  const lead = first && markup`<p class="lead">${first.sentence}</p>`;
  return all.length > 0 ? [markup`<h3>${title}</h3>`, lead, table(title, head, all)] : undefined;

  function row(what: string, { first, second, table, difference, test }: PairedComparison): Part[] {
    const { both, onlyFirst, onlySecond, neither } = table;
    return [
      `${what}: ${armLabel(first)} against ${armLabel(second)}`,
      [both, onlyFirst, onlySecond, neither].join(", "),
      [
        intervalChart({ ...difference, from: -1, to: 1, reference: 0 }),
        ` ${formatDifference(difference)}`,
      ],
      `${formatProbability(test.p).replace("= ", "")} (${test.name}, ${test.method})`,
    ];
  }
}

const COSTS = [
  ["tokens", "Tokens", numberText],
  ["timeMs", "Time", timeText],
  ["toolCalls", "Tool calls", numberText],
  ["cost", "Cost", numberText],
] as const;

/** What a trial costs: the median, and what only one in twenty exceeds. */
export function costSection({ catalogTokens, arms, changes }: CostSummary): ReportSection {
  const shown = ({ p50, p95 }: Distribution, show: (value: number) => string) =>
    p50 === null ? "–" : `${show(p50)} (95th percentile ${show(p95 ?? p50)})`;
  const rows = arms.map((arm) => [
    armLabel(arm.arm),
    ...COSTS.map(([name, , show]) => shown(arm[name], show)),
  ]);
  const catalog =
    catalogTokens === null
      ? undefined
      : markup`<p>The catalog costs ${numberText(catalogTokens)} tokens in every request, whether a skill is used or not.</p>`;
  const ratios = changes.flatMap(({ first, second, tokens, timeMs }) => {
    const parts = [
      ...(tokens === null ? [] : [`tokens ${ratioText(tokens)}`]),
      ...(timeMs === null ? [] : [`time ${ratioText(timeMs)}`]),
    ];
    return parts.length === 0
      ? []
      : [markup`<p>${armLabel(first)} against ${armLabel(second)}: ${parts.join("; ")}</p>`];
  });
  const head = ["Median of a trial", ...COSTS.map(([, name]) => name)];
  return {
    id: "cost",
    title: "What it costs",
    body: [catalog, ratios, table("What it costs", head, rows)],
  };
}

function ratioText({ value, low, high, n }: CostRatio): string {
  const most = high === null ? "any" : numberText(high);
  return `× ${numberText(value)} (95 % interval ${numberText(low)} to ${most}, ${plural(n, "case")})`;
}

export function comparisonSection(comparison: EvalComparison, link: CaseLink): ReportSection {
  const { status, sentence, next, notes, cases, cost, gate, test } = comparison;
  const margin =
    gate &&
    markup`<p>${intervalChart({ ...gate.difference, from: -1, to: 1, reference: -gate.margin })} Pass rate now minus before: ${formatDifference(gate.difference)}${test === null ? "" : `, p ${formatProbability(test.p)} (${test.name}, ${test.method})`}. The mark is the loss that is allowed, ${Math.round(gate.margin * 100)} points.</p>`;
  const without = (side: "now" | "before") =>
    cases.errors.flatMap((one) => (one.side === side ? [one.caseId] : []));
  const flips = (title: string, some: readonly CaseFlip[], isClosed = false) =>
    foldedList(title, some, { most: MOST, isClosed }, (flip) => flipItem(flip, link));
  const ids = (title: string, some: readonly string[]) =>
    foldedList(title, some, { most: MOST }, link);
  const body = [
    markup`<p class="lead"><b class="status-word">${status}</b> ${sentence}</p><p class="next"><span>Next</span> <code>${next}</code></p>`,
    notesList(notes),
    margin ?? undefined,
    changesOf(comparison),
    flips("Got worse", cases.regressions),
    flips("Worse, but chance could have done it", cases.suspects, true),
    flips("Got better", cases.improvements),
    flips("Passed only sometimes before", cases.quarantined, true),
    ids("No result now", without("now")),
    ids("No result before", without("before")),
    ids(
      "Changed, and so left out",
      cases.changed.map(({ caseId }) => caseId),
    ),
    ids("New or changed, and failing", cases.failing),
    ids("New", cases.added),
    ids("Missing now", cases.missing),
    costTable(cost),
  ];
  return { id: "comparison", title: "Compared with before", body };
}

function flipItem({ caseId, title, before, now, checks, p }: CaseFlip, link: CaseLink): Markup {
  const shares = `${before.passed} of ${before.judged} → ${now.passed} of ${now.judged}`;
  const chance = p === undefined ? "" : `, p ${formatProbability(p)}`;
  const shown = checks.slice(0, 4).map((check) => truncate(check, 160));
  const more = checks.length > 4 ? ` and ${checks.length - 4} more` : "";
  return markup`${link(caseId)} ${truncate(title, 160)} <span class="numbers">${shares}${chance}</span> <span class="quiet">${shown.join(" · ")}${more}</span>`;
}

function changesOf({ changes }: EvalComparison): Markup {
  const { model, judge, version, skills, areCasesChanged } = changes;
  const pairs = { model, judge, version };
  const items = [
    ...Object.entries(pairs).flatMap(([name, change]) =>
      change === null ? [] : [`${name} ${change.before} → ${change.now}`],
    ),
    ...(areCasesChanged ? ["the cases"] : []),
    ...skills.map(({ name, change }) => `skill ${name} ${change}`),
  ];
  if (items.length === 0)
    return markup`<p class="quiet">Model, judge, skills, cases and version are the same.</p>`;
  return markup`<h3>What changed in the setup</h3><ul class="items">${firstOf(items, MOST, (item) => item)}</ul>`;
}

const MEASURES = {
  tokens: "Tokens",
  toolCalls: "Tool calls",
  turns: "Turns",
  timeMs: "Time",
  cost: "Cost",
} as const satisfies Record<CostFinding["measure"], string>;

function costTable(cost: readonly CostFinding[]): Part {
  const rows = cost.map(({ measure, before, now, ratio, budget, isRegression }) => {
    const show = measure === "timeMs" ? timeText : numberText;
    const allowed = budget === null ? "–" : `× ${numberText(1 + budget)}`;
    const sign = isRegression ? markup` <b class="mark fail">✗ exceeded</b>` : undefined;
    return [
      MEASURES[measure],
      show(before),
      show(now),
      ratio === null ? "–" : ratioText(ratio),
      [allowed, sign],
    ];
  });
  return table("Cost per case", ["Cost per case", "before", "now", "ratio", "allowed"], rows);
}

const ASSERTION_KINDS = {
  harmful: "Pass less with the skill",
  "always-fails": "Fail in every arm",
  flaky: "Pass only sometimes",
  "never-discriminates": "Pass with the skill and without: they tell nothing about it",
} as const satisfies Record<AssertionFinding["kind"], string>;

/** Undefined when every check tells something. */
export function assertionsSection(
  findings: readonly AssertionFinding[],
  link: CaseLink,
): ReportSection | undefined {
  if (findings.length === 0) return undefined;
  const body = Object.entries(ASSERTION_KINDS).map(([kind, title]) => {
    const own = findings.filter((finding) => finding.kind === kind);
    return foldedList(title, own, { most: MOST }, ({ caseId, metric, text, arms }) => {
      const shares = arms.map(
        ({ arm, passed, judged }) => `${armLabel(arm)} ${passed} of ${judged}`,
      );
      return markup`${link(caseId)} <span class="tag">${metric}</span> ${truncate(text, 200)} <span class="numbers">${shares.join(", ")}</span>`;
    });
  });
  return { id: "assertions", title: "Checks to look at", body };
}

const PREFERENCE_KINDS = {
  second: "✗ The other arm is preferred",
  order: "~ It depends on the order",
  error: "! Could not be compared",
  first: "✓ The tested arm is preferred",
  tie: "= Neither is better",
} as const;

/** What the judge prefers, and why. Undefined when no answers were compared. */
export function preferencesSection(
  summaries: readonly PreferenceSummary[],
  preferences: readonly AnswerPreference[],
  link: CaseLink,
): ReportSection | undefined {
  if (summaries.length === 0) return undefined;
  const body = summaries.map((summary) => {
    const own = preferences.filter(({ other }) => other === summary.other);
    const lists = Object.entries(PREFERENCE_KINDS).map(([kind, title]) => {
      const some = own.filter((one) => kindOf(one) === kind);
      const isClosed = !["second", "error"].includes(kind);
      return foldedList(title, some, { most: MOST, isClosed }, (one) => {
        const reason = "evidence" in one ? one.evidence : `${one.error.code}: ${one.error.message}`;
        return markup`${link(one.caseId)} <span class="numbers">trial ${one.trial}</span> <span class="quiet">${truncate(reason, 400)}</span>`;
      });
    });
    return markup`<h3>Against ${armLabel(summary.other)}</h3><p class="lead">${summary.sentence}</p><p class="quiet">${preferenceText(summary)}. Each pair of answers was judged in both orders; several trials of a case count once.</p>${lists}`;
  });
  return { id: "preferences", title: "What the judge prefers", body };
}

function kindOf(preference: AnswerPreference): keyof typeof PREFERENCE_KINDS {
  if ("error" in preference) return "error";
  return preference.dependsOnOrder === true ? "order" : preference.winner;
}
