import { fisherExactTest } from "../statistics/fisher-exact-test.ts";
import { holmAdjust } from "../statistics/holm-adjust.ts";
import type { TrialResult } from "../results/eval-results.ts";
import type { PassShare } from "../summary/paired-comparison.ts";
import type { CaseFlip, ComparedCases } from "./eval-comparison.ts";
import type { MatchedCase } from "./match-cases.ts";

/** The gate beside it may err as often: together no more than 5 in 100. */
const SIGNIFICANT = 0.025;

type Flips = Pick<ComparedCases, "regressions" | "suspects" | "improvements" | "quarantined"> & {
  /** So many cases can be worse or better. */
  readonly compared: number;
};

/**
 * Case by case: what got worse, what got better, and what was never steady. Of deterministic models what is not steady is
 * left out. Of others it must not be: who takes away the cases that failed in one of the runs, and in that one only,
 * keeps those that were lucky in it, and sees them fall.
 */
export function findFlips(cases: readonly MatchedCase[], isDeterministic: boolean): Flips {
  const isFlaky = ({ before }: CaseFlip) => before.passed > 0 && before.passed < before.judged;
  const flips = isDeterministic ? cases.map((one) => flipOf(one)) : withProbabilities(cases);
  const steady = flips.filter((flip) => !isFlaky(flip));
  const isWorse = (flip: CaseFlip) => direction(flip, isDeterministic) < 0;
  const isShown = ({ p = 1 }: CaseFlip) => isDeterministic || p <= SIGNIFICANT;
  const counting = isDeterministic ? steady : flips;
  const regressions = counting.filter((flip) => isWorse(flip) && isShown(flip));
  const isRegression = new Set(regressions);
  return {
    compared: counting.length,
    regressions,
    // Each case stands in one list.
    quarantined: flips.filter((flip) => isFlaky(flip) && !isRegression.has(flip)),
    suspects: steady.filter((flip) => isWorse(flip) && !isShown(flip)),
    improvements: steady.filter((flip) => direction(flip, isDeterministic) > 0),
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
