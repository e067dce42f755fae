import { createHash } from "node:crypto";
import type { ReportInput } from "../report-text.ts";
import { casesSection } from "./cases-section.ts";
import { markup, rawText, renderSection, type ReportSection } from "./markup.ts";
import { reportData } from "./report-data.ts";
import { REPORT_SCRIPT } from "./report-script.ts";
import { type ReportCase, reportCases, reportSides } from "./report-side.ts";
import { REPORT_STYLE } from "./report-style.ts";
import {
  armsSection,
  assertionsSection,
  type CaseLink,
  comparisonSection,
  costSection,
  preferencesSection,
} from "./sections.ts";
import { setupSection, verdictHead, verdictSection } from "./overview-sections.ts";
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
  const title = `${verdictHead(input).word}: ${results.id}`;
  const page = markup`<!doctype html>
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
<header${other === undefined ? undefined : markup` class="two"`}>
<div class="brand"><span><b>Skillwright</b> <span class="quiet">eval report</span></span><nav aria-label="Sections"><ul>${sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`)}</ul></nav></div>
<div>${verdictSection(input, sides, cases)}</div>
${setupSection(results, other)}</header>
<main>
${sections.map(renderSection)}</main>
</div>
<script type="application/json" id="data">${rawText(data.json)}</script>
<script>${rawText(REPORT_SCRIPT)}</script>
</body>
</html>
`;
  return page.toString();
}

function sectionsOf(
  { summary, comparison, results }: ReportInput,
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
    costSection(summary.cost),
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
      ? markup`<span>${caseId}</span>`
      : markup`<a href="#case-${at}">${caseId}</a>`;
  };
}
