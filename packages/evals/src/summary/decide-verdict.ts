import { plural } from "@skillwright/core/internal";
import { countExpectations } from "./count-expectations.ts";
import type { TrialResult } from "../results/eval-results.ts";
import { formatRate } from "../statistics/format-numbers.ts";
import type { ArmSummary, Verdict, VerdictStatus } from "./eval-summary.ts";
import type { PairedComparison } from "./paired-comparison.ts";
import { MAXIMUM_ERROR_RATE, type VerdictFacts, type VerdictOptions } from "./verdict-facts.ts";
import { verdictNotes } from "./verdict-notes.ts";

export type { VerdictOptions };

interface Decision {
  readonly status: VerdictStatus;
  readonly sentence: string;
  readonly next: string;
}

const SIGNIFICANT = 0.05;

const NEXT = {
  report: "skillwright eval report",
  lint: "skillwright eval lint",
  suggest: "skillwright eval suggest",
  trials: "skillwright eval --trials 5",
  judge: "skillwright eval --judge <provider:name>",
  doctor: "skillwright doctor",
  again: "skillwright eval --resume",
  save: "skillwright eval --save",
} as const;

/** What stands in no case is counted here: the trials alone tell. */
export function decideVerdict(
  given: Omit<VerdictFacts, "expectations">,
  options: VerdictOptions = {},
): Verdict {
  const { arms, paired, trials } = given;
  const expectations = countExpectations(trials, arms[0]?.arm);
  const facts = { ...given, expectations };
  const decision =
    withoutData(facts) ??
    failedOutright(facts, options) ??
    tooManyErrors(facts, options) ??
    failedByRate(facts, options) ??
    ofComparison(facts) ??
    passed(facts);
  return { ...decision, notes: verdictNotes(facts), expectations, arms, paired };
}

function withoutData({ arms: [own], trials, expectations }: VerdictFacts): Decision | undefined {
  if (own === undefined || own.trials === 0) {
    return { status: "no-data", sentence: "No case was run.", next: NEXT.lint };
  }
  if (own.passed.n > 0) return undefined;
  if (own.errors > 0) return errorsIn(own, trials, "Nothing could be judged");
  const { total, withoutJudge, unsupported } = expectations;
  const reasons = [
    ...(total === 0 ? ["the cases expect nothing"] : []),
    ...(unsupported > 0 ? ["some of their graders cannot be run here"] : []),
    ...(withoutJudge > 0 ? ["what they say in words only a person or a live judge can tell"] : []),
  ];
  const sentence = `None of ${plural(own.trials, "trial")} could be judged: ${reasons.join("; ")}.`;
  return { status: "no-data", sentence, next: withoutJudge > 0 ? NEXT.judge : NEXT.lint };
}

/** One failure is enough where every trial has to pass, whatever else happened. */
function failedOutright(
  { cases, arms: [own] }: VerdictFacts,
  { minimumPassRate = 1 }: VerdictOptions,
): Decision | undefined {
  const failing = cases.filter(({ arms }) =>
    arms.some(({ arm, passed, judged }) => arm === own?.arm && passed < judged),
  );
  if (own === undefined || minimumPassRate < 1 || failing.length === 0) return undefined;
  const flaky = failing.filter(({ arms }) => arms.some(({ outcome }) => outcome === "flaky"));
  const sometimes = flaky.length > 0 ? `, ${flaky.length} of them only sometimes` : "";
  const names = failing.slice(0, 3).map(({ id }) => id);
  const left = failing.length - names.length;
  const more = left > 0 ? ` and ${left} more` : "";
  const sentence = `${failing.length} of ${plural(own.passed.n, "case")} failed${sometimes}: ${names.join(", ")}${more}.`;
  return { status: "fail", sentence, next: NEXT.report };
}

function tooManyErrors(
  { arms: [own], trials, cases }: VerdictFacts,
  { maximumErrorRate = MAXIMUM_ERROR_RATE }: VerdictOptions,
): Decision | undefined {
  if (own === undefined || own.errors === 0) return undefined;
  const lost = cases.filter(({ arms }) =>
    arms.some(({ arm, outcome }) => arm === own.arm && outcome === "error"),
  );
  if (lost.length > 0)
    return errorsIn(own, trials, `Without a result: ${plural(lost.length, "case")}`);
  return own.errors / own.trials > maximumErrorRate
    ? errorsIn(own, trials, "Too many errors to judge")
    : undefined;
}

function errorsIn(own: ArmSummary, trials: readonly TrialResult[], what: string): Decision {
  const first = trials.find(({ arm, outcome }) => arm === own.arm && outcome === "error");
  const reason = first?.error ?? { code: "grader-failed", message: firstGraderError(first) };
  const next = reason.code === "sandbox-missing" ? NEXT.doctor : NEXT.again;
  const sentence = `${what}. ${own.errors} of ${plural(own.trials, "trial")} ended in an error, first ${reason.code} in ${first?.caseId ?? "?"}: ${reason.message}`;
  return { status: "errors", sentence, next };
}

function firstGraderError(trial: TrialResult | undefined): string {
  return (
    trial?.grades.find(({ outcome }) => outcome === "error")?.evidence ?? "a check failed to run"
  );
}

function failedByRate(
  { arms: [own] }: VerdictFacts,
  { minimumPassRate = 1 }: VerdictOptions,
): Decision | undefined {
  if (own === undefined || minimumPassRate >= 1) return undefined;
  const wanted = `${Math.round(minimumPassRate * 100)} % are asked for`;
  const sentence = `${formatRate(own.passed)} passed; ${wanted}.`;
  if (own.passed.high < minimumPassRate) return { status: "fail", sentence, next: NEXT.report };
  if (own.passed.low >= minimumPassRate) return undefined;
  return {
    status: "inconclusive",
    sentence: `${sentence} More cases are needed to tell.`,
    next: NEXT.suggest,
  };
}

function ofComparison({ setup, paired }: VerdictFacts): Decision | undefined {
  const isShown = ({ test }: PairedComparison) => setup.isDeterministic || test.p < SIGNIFICANT;
  const worse = paired.find((one) => one.difference.value < 0 && isShown(one));
  if (worse !== undefined) {
    const sentence = `Worse than ${spoken(worse.second)}. ${worse.sentence}`;
    return { status: "fail", sentence, next: NEXT.report };
  }
  const bare = paired.find(({ second }) => second === "without_skill");
  if (bare === undefined || (bare.difference.value > 0 && isShown(bare))) return undefined;
  const sentence = `The cases pass, but not shown better than without the skill. ${bare.sentence}`;
  const next = setup.isDeterministic || bare.table.onlyFirst === 0 ? NEXT.lint : NEXT.trials;
  return { status: "inconclusive", sentence, next };
}

function passed({ arms: [own], paired, expectations }: VerdictFacts): Decision {
  const better = paired
    .map((one) => ` ${capitalized(spoken(one.second))}: ${one.sentence}`)
    .join("");
  const rate = own === undefined ? "" : formatRate(own.passed);
  const unjudged = expectations.withoutJudge + expectations.unsupported;
  const left = unjudged > 0 ? `; ${plural(unjudged, "check")} unjudged` : "";
  return { status: "pass", sentence: `${rate} passed${left}.${better}`, next: NEXT.save };
}

function spoken(arm: PairedComparison["second"]): string {
  if (arm === "old_skill") return "the other version";
  return arm === "without_skill" ? "without the skill" : "with the skill";
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
