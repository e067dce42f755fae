import { plural } from "@skillwright/core/internal";
import type { EvalCase } from "../cases/eval-case.ts";
import { casesToShow, wilsonInterval } from "../statistics/rates.ts";
import { pairsNeeded } from "../statistics/paired.ts";
import { groupBy } from "../summary/summarize-cases.ts";
import type { Check, Finding, LintCasesOptions } from "./lint-context.ts";

const PASS_RATE = 0.8;

/** Whether the cases of a skill could show what they are to show, if all went well. */
export const checkSize: Check = ({ cases, claim = {} }) => {
  const tested = cases.filter(({ mock }) => mock === undefined);
  return [...groupBy(tested, subjectOf)].flatMap(([subject, own]) => tooFew(subject, own, claim));
};

function tooFew(
  subject: string,
  cases: readonly EvalCase[],
  { passRate = PASS_RATE, difference }: NonNullable<LintCasesOptions["claim"]>,
): Finding[] {
  const [first] = cases;
  if (first === undefined) return [];
  const n = cases.length;
  const origin = first.origin;
  const findings: Finding[] = [];
  const needed = casesToShow(passRate);
  if (n < needed) {
    const least = Math.round(wilsonInterval(n, n).low * 100);
    const message = `${subject}: ${plural(n, "case")}; even if all pass, as few as ${least} % of such requests may go well (${needed} cases show ${percent(passRate)})`;
    findings.push({ code: "cases-too-few", message, origin });
  }
  if (difference !== undefined && difference > 0) {
    // About twice as many cases change as the difference says: some get worse.
    const pairs = pairsNeeded({ difference, discordant: Math.min(1, 2 * difference) });
    const message = `${subject}: ${plural(n, "case")}; a difference of ${Math.round(difference * 100)} points needs about ${pairs}`;
    if (n < pairs) findings.push({ code: "cases-too-few", message, origin });
  }
  return findings;
}

function subjectOf({ origin, expected }: EvalCase): string {
  return origin.skill ?? expected.skills?.used[0] ?? expected.skills?.unused[0] ?? origin.file;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
