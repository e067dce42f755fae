import type { TrialResult } from "../results/eval-results.ts";
import { fisherExactTest, type PassShare } from "../statistics/paired.ts";

/** A case whose result differs. */
export interface CaseFlip {
  readonly caseId: string;
  readonly title: string;
  /** All its trials, those that were run again among them. */
  readonly before: PassShare;
  readonly now: PassShare;
  /** Checks that passed more often before, or after, as the case did. */
  readonly checks: readonly string[];
  /** How probably chance alone makes it this much worse: Fisher's exact test, one-sided. Not of deterministic models. */
  readonly p?: number;
}

/** A case that was judged in both, with all its trials. */
export interface FlippedCase {
  readonly caseId: string;
  readonly title: string;
  readonly before: readonly TrialResult[];
  readonly now: readonly TrialResult[];
}

export interface Flips {
  /** Cases that are the same and were judged in both; of deterministic models without the quarantined. */
  readonly compared: number;
  /** Worse, and not by chance. */
  readonly regressions: readonly CaseFlip[];
  /** They look worse, and chance could explain it. */
  readonly suspects: readonly CaseFlip[];
  readonly improvements: readonly CaseFlip[];
  /** Of deterministic models: they passed only sometimes in the baseline, and are in none of the lists above. */
  readonly quarantined: readonly CaseFlip[];
}

/** Of all compared cases together; the gate of the pass rate errs as often at most. */
const SIGNIFICANT = 0.025;
/** Of one case: reason enough to look again. */
const SUSPICIOUS = 0.05;
/** With few trials nothing is suspicious by its probability, but so large a loss is. */
const SUSPICIOUS_LOSS = 0.5;
const FEWEST_RETRIES = 5;
const MOST_RETRIES = 20;
/** As many times the trials that would show a case that now always fails: one that still passes sometimes needs more. */
const RETRY_FACTOR = 2;

/**
 * Case by case: what got worse, what may have, and what got better. Of deterministic models any change counts, and
 * what the baseline passed only sometimes is left out. Of others it must not be: without the cases that failed in
 * one of the runs, those that were lucky in it would remain, and seem to get worse.
 */
export function findFlips(cases: readonly FlippedCase[], isDeterministic: boolean): Flips {
  const flips = cases.map((one) => flipOf(one, isDeterministic));
  return isDeterministic ? exactFlips(flips) : likelyFlips(flips);
}

function exactFlips(flips: readonly CaseFlip[]): Flips {
  const isFlaky = ({ before }: CaseFlip) => before.passed > 0 && before.passed < before.judged;
  const steady = flips.filter((flip) => !isFlaky(flip));
  const regressions = steady.filter((flip) => exactDirection(flip) < 0);
  return {
    compared: steady.length,
    regressions,
    suspects: [],
    improvements: steady.filter((flip) => exactDirection(flip) > 0),
    quarantined: flips.filter(isFlaky),
  };
}

/** A case that fails as before may still have lost one of its checks. */
function exactDirection({ before, now, checks }: CaseFlip): number {
  const difference = shareValue(now) - shareValue(before);
  if (difference !== 0) return difference;
  return checks.length > 0 ? -1 : 0;
}

function likelyFlips(flips: readonly CaseFlip[]): Flips {
  const compared = flips.length;
  const regressions = flips.filter((flip) => isShown(flip, compared));
  return {
    compared,
    regressions,
    suspects: flips.filter((flip) => !isShown(flip, compared) && isSuspicious(flip)),
    improvements: flips.filter(({ before, now }) => shareValue(now) > shareValue(before)),
    quarantined: [],
  };
}

/** Worse than chance makes any of so many cases look. */
function isShown({ p = 1 }: CaseFlip, compared: number): boolean {
  return p * compared <= SIGNIFICANT;
}

function isSuspicious(flip: CaseFlip): boolean {
  const loss = shareValue(flip.before) - shareValue(flip.now);
  return isUndecided(flip) || loss >= SUSPICIOUS_LOSS;
}

/** Too much for chance if it were the only case. */
export function isUndecided({ p = 1 }: CaseFlip): boolean {
  return p <= SUSPICIOUS;
}

/** `pdf/3 (5/5, now 7/15)`. */
export function flipText({ caseId, before, now }: CaseFlip): string {
  return `${caseId} (${before.passed}/${before.judged}, now ${now.passed}/${now.judged})`;
}

/** A case to be tried again, and how often. */
export interface CaseRetry {
  readonly caseId: string;
  readonly trials: number;
}

/**
 * Cases that look worse and further trials that would tell. Those that no reasonable number of trials could tell are
 * left out: against a single trial of a saved baseline nothing can be shown of one case.
 */
export function planRetries(
  { regressions, suspects, compared }: Pick<Flips, "regressions" | "suspects" | "compared">,
  { isBaselineSaved }: { readonly isBaselineSaved: boolean },
): CaseRetry[] {
  return [...regressions, ...suspects].flatMap((flip) => {
    if (flip.p === undefined) return [];
    for (let trials = 1; trials <= MOST_RETRIES; trials++) {
      const further = isBaselineSaved ? 0 : trials;
      const before = { passed: flip.before.passed + further, n: flip.before.judged + further };
      const now = { passed: flip.now.passed, n: flip.now.judged + trials };
      if (!isShown({ ...flip, p: fisherExactTest(before, now) }, compared)) continue;
      const enough = Math.max(FEWEST_RETRIES, RETRY_FACTOR * trials);
      return [{ caseId: flip.caseId, trials: Math.min(MOST_RETRIES, enough) }];
    }
    return [];
  });
}

function flipOf({ caseId, title, before, now }: FlippedCase, isDeterministic: boolean): CaseFlip {
  const shares = { before: shareOf(before), now: shareOf(now) };
  const isBetter = shareValue(shares.now) > shareValue(shares.before);
  const [old, own] = [checkShares(before), checkShares(now)];
  const checks = [...old].flatMap(([text, share]) => {
    const later = own.get(text);
    const isMoved = later !== undefined && (isBetter ? later > share : later < share);
    return isMoved ? [text] : [];
  });
  const flip = { caseId, title, ...shares, checks };
  if (isDeterministic) return flip;
  const groups = [shares.before, shares.now].map(({ passed, judged: n }) => ({ passed, n }));
  const [first = { passed: 0, n: 0 }, second = first] = groups;
  return { ...flip, p: fisherExactTest(first, second) };
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

/** How many of the trials that were judged passed. */
export function shareOf(trials: readonly Pick<TrialResult, "outcome">[]): PassShare {
  const passed = trials.filter(({ outcome }) => outcome === "pass").length;
  return { passed, judged: passed + trials.filter(({ outcome }) => outcome === "fail").length };
}

function shareValue({ passed, judged }: PassShare): number {
  return passed / judged;
}
