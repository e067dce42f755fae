import { truncate } from "@skillwright/core/internal";
import type { AssertionFinding } from "../../../summary/eval-summary.ts";
import { html, type Markup } from "../markup.ts";
import { armLabel } from "../../arm-label.ts";
import type { CaseLink } from "./comparison-section.ts";
import { firstOf, type ReportSection } from "./section.ts";

const MOST = 40;

const KINDS = [
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
  const groups = KINDS.map(([kind, title]) => {
    const own = findings.filter((finding) => finding.kind === kind);
    if (own.length === 0) return undefined;
    return html`<details${kind === "never-discriminates" && findings.length > 12 ? undefined : html` open`}><summary>${title} <small>${own.length}</small></summary><ul class="findings">${firstOf(own, MOST, (finding) => findingItem(finding, link))}</ul></details>`;
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
