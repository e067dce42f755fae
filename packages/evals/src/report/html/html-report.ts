import { createHash } from "node:crypto";
import type { ReportInput } from "../report-text.ts";
import { armsSection, costSection } from "./arm-sections.ts";
import { casesSection } from "./cases-section.ts";
import { html, type Markup, rawText, renderSection, type ReportSection } from "./markup.ts";
import { reportData } from "./report-data.ts";
import { REPORT_SCRIPT } from "./report-script.ts";
import { type ReportCase, reportCases, reportSides } from "./report-side.ts";
import { REPORT_STYLE } from "./report-style.ts";
import {
  assertionsSection,
  type CaseLink,
  comparisonSection,
  preferencesSection,
} from "./comparison-section.ts";
import { setupSection, verdictSection, verdictWord } from "./overview-sections.ts";
import { triggerSection } from "./trigger-section.ts";

/**
 * Nothing is fetched, no script runs but ours, no style applies but ours, and even our script cannot turn
 * text into HTML: Trusted Types without any policy refuse it.
 */
function contentPolicy(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/**
 * One file that needs nothing else: no network, no font, no script but its own. Whatever comes from cases,
 * models and skills is text in it, never HTML. Without a script it can be read, with one it can be searched.
 */
export function htmlReport(input: ReportInput): string {
  const { results, other } = input;
  const sides = reportSides(input);
  const cases = reportCases(sides);
  const data = reportData(sides, cases);
  const sections = sectionsOf(input, cases, casesSection(sides, cases, data.note));
  const title = `${verdictWord(input)}: ${results.id}`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(REPORT_SCRIPT, REPORT_STYLE)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="skillwright ${results.setup.version}">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${rawText(REPORT_STYLE)}</style>
</head>
<body>
<a class="skip" href="#cases">To the cases</a>
<div class="page">
<header${other === undefined ? undefined : html` class="two"`}>
<div class="brand"><span><b>Skillwright</b> <span class="quiet">eval report</span></span><nav aria-label="Sections"><ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav></div>
<div>${verdictSection(input, sides, cases)}</div>
${setupSection(results, other)}</header>
<main>
${sections.map(renderSection)}</main>
</div>
${HELP}
<script type="application/json" id="data">${rawText(data.json)}</script>
<script>${rawText(REPORT_SCRIPT)}</script>
</body>
</html>
`;
  return page.toString();
}

function sectionsOf(
  { summary, comparison, results, other }: ReportInput,
  cases: readonly ReportCase[],
  list: ReportSection,
): ReportSection[] {
  const link = linkTo(cases);
  const findings = [...summary.output.assertions, ...summary.sequence.assertions];
  const sections = [
    comparison && comparisonSection(comparison, link),
    armsSection(summary),
    preferencesSection(summary.preferences ?? [], results.preferences ?? [], link),
    triggerSection(summary.trigger, link),
    costSection(summary.cost, reportSides({ results, ...(other && { other }) })),
    assertionsSection(findings, link),
    list,
  ];
  return sections.filter((section) => section !== undefined);
}

function linkTo(cases: readonly ReportCase[]): CaseLink {
  const places = new Map(cases.map(({ id }, at) => [id, at]));
  return (caseId) => {
    const at = places.get(caseId);
    return at === undefined
      ? html`<span>${caseId}</span>`
      : html`<a href="#case-${at}">${caseId}</a>`;
  };
}

const HELP: Markup = html`<dialog id="help" aria-labelledby="help-title">
  <h2 id="help-title">Keys</h2>
  <dl>
    <dt><kbd>j</kbd> <kbd>k</kbd></dt>
    <dd>next and previous case; on a case also the arrow keys</dd>
    <dt><kbd>g</kbd> <kbd>G</kbd></dt>
    <dd>first and last case</dd>
    <dt><kbd>Enter</kbd></dt>
    <dd>open or close it</dd>
    <dt><kbd>Esc</kbd></dt>
    <dd>close the case, leave the search</dd>
    <dt><kbd>/</kbd></dt>
    <dd>search</dd>
    <dt><kbd>a</kbd> <kbd>f</kbd> <kbd>d</kbd> <kbd>e</kbd></dt>
    <dd>all, failed, different, errors</dd>
    <dt><kbd>?</kbd></dt>
    <dd>these keys</dd>
  </dl>
  <form method="dialog"><button>Close</button></form>
</dialog>`;
