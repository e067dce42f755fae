import { fisherExactTest } from "../statistics/fisher-exact-test.ts";
import { holmAdjust } from "../statistics/holm-adjust.ts";
import type { TrialResult } from "../results/eval-results.ts";
import type { PassShare } from "../summary/paired-comparison.ts";
import type { CaseFlip, ComparedCases } from "./eval-comparison.ts";
import type { MatchedCase } from "./match-cases.ts";

/** The gate beside it may err as often: together no more than 5 in 100. */
const SIGNIFICANT = 0.025;

type Flips = Pick<ComparedCases, "regressions" | "suspects" | "improvements" | "quarantined"> & {
  /** All that count: not the quarantined. */
  readonly steady: readonly MatchedCase[];
};

/** Case by case: what got worse, what got better, and what was never steady. */
export function findFlips(cases: readonly MatchedCase[], isDeterministic: boolean): Flips {
  const isFlaky = ({ shares: { before } }: MatchedCase) =>
    before.passed > 0 && before.passed < before.judged;
  const steady = cases.filter((one) => !isFlaky(one));
  const quarantined = cases.filter(isFlaky).map((one) => flipOf(one));
  const flips = isDeterministic ? steady.map((one) => flipOf(one)) : withProbabilities(steady);
  const worse = flips.filter((flip) => direction(flip, isDeterministic) < 0);
  const improvements = flips.filter((flip) => direction(flip, isDeterministic) > 0);
  const isShown = ({ p = 1 }: CaseFlip) => isDeterministic || p <= SIGNIFICANT;
  return {
    steady,
    quarantined,
    regressions: worse.filter(isShown),
    suspects: worse.filter((flip) => !isShown(flip)),
    improvements,
  };
}

/** Of a deterministic model a case that fails as before may still have lost one of its checks. */
function direction({ before, now, checks }: CaseFlip, isDeterministic: boolean): number {
  const difference = shareValue(now) - shareValue(before);
  if (difference !== 0 || !isDeterministic) return difference;
  return checks.length > 0 ? -1 : 0;
}

function withProbabilities(cases: readonly MatchedCase[]): CaseFlip[] {
  const isRepeated = ({ shares: { before, now } }: MatchedCase) =>
    before.judged > 1 && now.judged > 1;
  const repeated = cases.filter(isRepeated);
  const adjusted = holmAdjust(
    repeated.map(({ shares: { before, now } }) =>
      fisherExactTest(
        { passed: before.passed, n: before.judged },
        { passed: now.passed, n: now.judged },
      ),
    ),
  );
  const byCase = new Map(repeated.map(({ caseId }, i) => [caseId, adjusted[i]]));
  return cases.map((one) => flipOf(one, byCase.get(one.caseId)));
}

function flipOf({ caseId, title, before, now, shares }: MatchedCase, p?: number): CaseFlip {
  const isBetter = shareValue(shares.now) > shareValue(shares.before);
  const [old, own] = [checkShares(before), checkShares(now)];
  const moved = [...old].filter(([text, share]) => {
    const later = own.get(text);
    if (later === undefined) return false;
    return isBetter ? later > share : later < share;
  });
  const checks = moved.map(([text]) => text);
  return { caseId, title, ...shares, checks, ...(p !== undefined && { p }) };
}

/** Of each check, in which share of the trials it passed. */
function checkShares(trials: readonly TrialResult[]): Map<string, number> {
  const counts = new Map<string, { passed: number; judged: number }>();
  for (const { text, outcome } of trials.flatMap(({ grades }) => grades)) {
    if (outcome !== "pass" && outcome !== "fail") continue;
    const count = counts.get(text) ?? { passed: 0, judged: 0 };
    count.judged++;
    if (outcome === "pass") count.passed++;
    counts.set(text, count);
  }
  return new Map([...counts].map(([text, count]) => [text, shareValue(count)]));
}

function shareValue({ passed, judged }: PassShare): number {
  return passed / judged;
}
