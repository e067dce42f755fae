import { groupBy } from "../group-by.ts";
import type { TrialResult } from "../results/eval-results.ts";
import type { PassShare } from "../statistics/paired.ts";
import type { ComparedCases, ErrorCount } from "./eval-comparison.ts";
import { type FlippedCase, shareOf } from "./find-flips.ts";

const REDACTED = "[redacted]";

/**
 * Whether two requests are one. What was a secret where one of them was kept may be none here: what was taken out
 * stands for anything.
 */
export function isSameRequest(first: string, second: string): boolean {
  return first === second || fits(first, second) || fits(second, first);
}

function fits(pattern: string, text: string): boolean {
  const [head = "", ...rest] = pattern.split(REDACTED);
  const tail = rest.pop();
  if (tail === undefined || !text.startsWith(head)) return false;
  let at = head.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - tail.length >= at && text.endsWith(tail);
}

/** A case that is the same in both and was judged in both. */
export interface MatchedCase extends FlippedCase {
  /** Of the trials that every case has: those run again because a case looked worse would favor it. */
  readonly shares: { readonly before: PassShare; readonly now: PassShare };
}

type MatchedCases = Pick<ComparedCases, "changed" | "errors" | "added" | "failing" | "missing"> & {
  readonly matched: readonly MatchedCase[];
};

/** By id; what cannot be compared is listed with the reason. */
export function matchCases(
  before: readonly TrialResult[],
  now: readonly TrialResult[],
): MatchedCases {
  const baseline = groupBy(before, ({ caseId }) => caseId);
  const current = groupBy(now, ({ caseId }) => caseId);
  const matched: MatchedCase[] = [];
  const changed: { caseId: string; why: string }[] = [];
  const errors: { caseId: string; side: "before" | "now" }[] = [];
  for (const [caseId, own] of [...current].sort(byFirst)) {
    const old = baseline.get(caseId);
    if (old === undefined) continue;
    const why = whyChanged(old, own);
    const shares = { before: shareOf(old.filter(isFirst)), now: shareOf(own.filter(isFirst)) };
    if (why !== undefined) changed.push({ caseId, why });
    else if (shares.now.judged === 0) errors.push({ caseId, side: "now" });
    else if (shares.before.judged === 0) errors.push({ caseId, side: "before" });
    else matched.push({ caseId, title: own[0]?.title ?? caseId, before: old, now: own, shares });
  }
  const only = (some: Map<string, unknown>, other: Map<string, unknown>) =>
    [...some.keys()].filter((caseId) => !other.has(caseId)).sort();
  const [added, missing] = [only(current, baseline), only(baseline, current)];
  const unknown = errors.flatMap(({ caseId, side }) => (side === "before" ? [caseId] : []));
  const unexcused = [...added, ...changed.map(({ caseId }) => caseId), ...unknown];
  const failing = unexcused.filter((caseId) => {
    const { passed, judged } = shareOf(current.get(caseId) ?? []);
    return passed < judged;
  });
  const told = errors.filter(isTold(baseline, current));
  return { matched, changed, errors: told, added, failing: failing.sort(), missing };
}

/** A case in words that nobody judges in either is no error. */
function isTold(
  baseline: ReadonlyMap<string, readonly TrialResult[]>,
  current: ReadonlyMap<string, readonly TrialResult[]>,
) {
  return ({ caseId }: { readonly caseId: string }) => {
    const sides = [baseline.get(caseId) ?? [], current.get(caseId) ?? []];
    return !sides.every((trials) => trials.every(({ outcome }) => outcome === "unjudged"));
  };
}

/** Not run again because its case looked worse. */
export function isFirst({ isRetry }: Pick<TrialResult, "isRetry">): boolean {
  return isRetry !== true;
}

function whyChanged(
  before: readonly TrialResult[],
  now: readonly TrialResult[],
): string | undefined {
  const [old, own] = [before[0], now[0]];
  if (!isSameRequest(old?.input ?? "", own?.input ?? "")) return "its request is another";
  if (JSON.stringify(old?.expectedSkills) !== JSON.stringify(own?.expectedSkills)) {
    return "it expects other skills";
  }
  const [oldChecks, checks] = [checksOf(before), checksOf(now)];
  // After an error there are no grades: then nothing is known about its checks.
  if (oldChecks.size === 0 || checks.size === 0) return undefined;
  const isSame = oldChecks.size === checks.size && [...checks].every((one) => oldChecks.has(one));
  return isSame ? undefined : "its checks are others";
}

function checksOf(trials: readonly TrialResult[]): Set<string> {
  return new Set(
    trials.flatMap(({ grades }) => grades.map(({ metric, text }) => `${metric} ${text}`)),
  );
}

function byFirst([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** What of these trials, new cases among them, says nothing. */
export function countErrors(trials: readonly TrialResult[]): ErrorCount {
  const isError = ({ outcome }: TrialResult) => outcome === "error";
  const isLost = (own: readonly TrialResult[]) =>
    own.some(isError) && own.every(({ outcome }) => outcome === "error" || outcome === "unjudged");
  const groups = [...groupBy(trials, ({ caseId }) => caseId)];
  const first = trials.find(isError);
  return {
    errors: trials.filter(isError).length,
    trials: trials.length,
    lost: groups.filter(([, own]) => isLost(own)).map(([caseId]) => caseId),
    ...(first && { first: { caseId: first.caseId, ...reasonOf(first) } }),
  };
}

function reasonOf({ error, grades }: TrialResult): { code: string; message: string } {
  if (error !== undefined) return { code: error.code, message: error.message };
  const failed = grades.find(({ outcome }) => outcome === "error");
  return { code: "grader-failed", message: failed?.evidence ?? "a check failed to run" };
}
