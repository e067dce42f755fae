import { plural } from "@skillwright/core/internal";
import { isUnsupported } from "../grade/grade.ts";
import { type Arm, ARM_WORDS, type EvalSetup, type TrialResult } from "../results/eval-results.ts";
import { formatRate } from "../statistics/format-numbers.ts";
import { flipText, isUndecided } from "../compare/find-flips.ts";
import { mcnemarTest } from "../statistics/paired.ts";
import type {
  ArmSummary,
  CaseSummary,
  ExpectationCount,
  Verdict,
  VerdictStatus,
} from "./eval-summary.ts";
import type { PairedComparison } from "./paired-comparison.ts";
import type { PreferenceSummary } from "./summarize-preferences.ts";

/** Of each case once, however often it was tried: who judges is the same for all trials of an eval. */
function countExpectations(
  trials: readonly Pick<TrialResult, "caseId" | "arm" | "grades">[],
  tested: Arm["name"] | undefined,
): ExpectationCount {
  const seen = new Set<string>();
  const count = { total: 0, withoutJudge: 0, unsupported: 0 };
  for (const { caseId, arm, grades } of trials) {
    // After an error there are none.
    if (arm !== tested || grades.length === 0 || seen.has(caseId)) continue;
    seen.add(caseId);
    for (const grade of grades) {
      count.total++;
      if (isUnsupported(grade)) count.unsupported++;
      else if (grade.outcome === "unjudged") count.withoutJudge++;
    }
  }
  return count;
}

/** Of the trials of the tested arm. */
export const MAXIMUM_ERROR_RATE = 0.1;

export interface VerdictOptions {
  /** 1: every trial of every case has to pass. Below, it has to be shown that so many cases pass. */
  readonly minimumPassRate?: number;
  /** With a larger share of errors there is no verdict. Default: 0.1. */
  readonly maximumErrorRate?: number;
}

interface VerdictFacts {
  readonly setup: EvalSetup;
  readonly trials: readonly TrialResult[];
  readonly cases: readonly CaseSummary[];
  /** The tested one first. */
  readonly arms: readonly ArmSummary[];
  readonly paired: readonly PairedComparison[];
  readonly preferences?: readonly PreferenceSummary[];
  readonly expectations: ExpectationCount;
}

/** Below it, even a perfect score leaves room for one failure in ten. */
const FEW_CASES = 35;

/** What a reader has to know beside the numbers: how few they are, and what is in none of them. */
function verdictNotes(facts: VerdictFacts): string[] {
  const { arms, cases, setup } = facts;
  const [own] = arms;
  if (own === undefined || own.trials === 0) return [];
  const mock = cases.filter(({ isMock }) => isMock).length;
  return [
    ...notJudged(facts),
    ...fewCases(own),
    ...noteIf(
      mock > 0,
      `${mock} of ${cases.length} cases have fixed actions and test the harness only.`,
    ),
    ...arms.flatMap((arm) => leftOut(arm, arm === own ? "trials" : `trials ${ARM_WORDS[arm.arm]}`)),
    ...withoutSkillNamed(facts),
    ...fewPairs(facts),
    // By itself it makes no case pass or fail.
    ...(facts.preferences ?? []).map(({ sentence }) => sentence),
    ...noteIf(
      setup.trials <= 1 && !setup.isDeterministic,
      "Each case was tried once, which does not show how steady the model is.",
    ),
  ];
}

/** By itself no reason to fail; but nobody may take it for something that was looked at. */
function notJudged({ expectations, cases, arms: [own] }: VerdictFacts): string[] {
  const { total, withoutJudge, unsupported } = expectations;
  const left = cases.filter(({ arms }) =>
    arms.some(({ arm, outcome }) => arm === own?.arm && outcome === "unjudged"),
  );
  const names = left.slice(0, 3).map(({ id }) => id);
  const more = left.length > names.length ? ` and ${left.length - names.length} more` : "";
  return [
    ...noteIf(
      unsupported > 0,
      `${unsupported} of ${total} expectations were not judged: they cannot be checked here, and no case that has one passes. For details, run: skillwright eval lint`,
    ),
    ...noteIf(
      withoutJudge > 0,
      `${withoutJudge} of ${total} expectations were not judged: they are in words, and there is no --judge.`,
    ),
    ...noteIf(
      left.length > 0 && left.length < cases.length,
      `Neither passed nor failed: ${names.join(", ")}${more}.`,
    ),
  ];
}

function fewCases({ passed: { n, low } }: ArmSummary): string[] {
  const judged = `Only ${n} ${n === 1 ? "case was" : "cases were"} judged`;
  const least = `of all such requests as few as ${Math.round(low * 100)} % may pass`;
  return noteIf(n > 0 && n < FEW_CASES, `${judged}: ${least}.`);
}

function leftOut({ errors, unjudged, trials }: ArmSummary, what: string): string[] {
  return [
    ...noteIf(errors > 0, `${errors} of ${trials} ${what} ended in an error; they are in no rate.`),
    ...noteIf(
      unjudged > 0,
      `${unjudged} of ${trials} ${what} could not be judged; they are in no rate.`,
    ),
  ];
}

/** With nothing to take away, such a case would have been run with the skill once more. */
function withoutSkillNamed({ setup, cases }: VerdictFacts): string[] {
  const ids = new Set(cases.map(({ id }) => id));
  return setup.arms.flatMap(({ name, leftOut = [] }) => {
    const count = leftOut.filter((id) => ids.has(id)).length;
    const [were, why] = count === 1 ? ["was", "it names no skill"] : ["were", "they name no skill"];
    return noteIf(
      count > 0,
      `${count} of ${cases.length} cases ${were} not run ${ARM_WORDS[name]}: ${why} of the catalog, so there is nothing to compare.`,
    );
  });
}

function fewPairs({ paired, setup }: VerdictFacts): string[] {
  if (setup.isDeterministic) return [];
  return paired.flatMap(({ second, difference: { n } }) =>
    noteIf(
      mcnemarTest(n, 0).p > SIGNIFICANT,
      `${n} pairs are too few to show any difference to the trials ${ARM_WORDS[second]}: 6 that all go one way are the least.`,
    ),
  );
}

function noteIf(isTrue: boolean, note: string): string[] {
  return isTrue ? [note] : [];
}

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
  save: "skillwright eval --save <file>",
} as const;

/** What stands in no case is counted here: the trials alone tell. */
export function decideVerdict(
  given: Omit<VerdictFacts, "expectations">,
  options: VerdictOptions = {},
): Verdict {
  const { arms, paired, trials } = given;
  const expectations = countExpectations(trials, arms[0]?.arm);
  const facts = { ...given, expectations };
  const { sentence, ...decision } =
    withoutData(facts) ??
    tooManyErrors(facts, options) ??
    failedOutright(facts, options) ??
    failedByRate(facts, options) ??
    worseThanOther(facts) ??
    lostCases(facts) ??
    ofComparison(facts) ??
    passed(facts);
  return {
    ...decision,
    sentence: `${sentence} ${decidedBy(facts.setup)}`,
    model: facts.setup.model,
    isSmokeTest: isSmokeTest(facts.setup),
    notes: verdictNotes(facts),
    expectations,
    arms,
    paired,
  };
}

/** Which model a verdict is about: the offline stand-in says nothing about any language model. */
export function decidedBy(setup: EvalSetup): string {
  const { model, recording } = setup;
  if (isSmokeTest(setup)) return `Smoke test: ${model} decided, not a language model.`;
  return recording === undefined ? `Decided by ${model}.` : `Decided by ${model}, recorded.`;
}

function isSmokeTest({ model }: EvalSetup): boolean {
  return /^(?:offline|mock|sequence):/.test(model);
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
  { arms: [own], trials }: VerdictFacts,
  { maximumErrorRate = MAXIMUM_ERROR_RATE }: VerdictOptions,
): Decision | undefined {
  if (own === undefined || own.errors <= own.trials * maximumErrorRate) return undefined;
  return errorsIn(own, trials, "Too many errors to judge");
}

/** Few errors leave doubt: nobody knows how these cases would have ended. */
function lostCases({ arms: [own], trials, cases }: VerdictFacts): Decision | undefined {
  const lost = cases.filter(({ arms }) =>
    arms.some(({ arm, outcome }) => arm === own?.arm && outcome === "error"),
  );
  if (own === undefined || lost.length === 0) return undefined;
  const what = `Without a result: ${plural(lost.length, "case")}`;
  return { ...errorsIn(own, trials, what), status: "inconclusive" };
}

function errorsIn(own: ArmSummary, trials: readonly TrialResult[], what: string): Decision {
  const first = trials.find(({ arm, outcome }) => arm === own.arm && outcome === "error");
  const reason = first?.error ?? { code: "grader-failed", message: firstGraderError(first) };
  const next = reason.code === "sandbox-missing" ? NEXT.doctor : NEXT.again;
  const sentence = `${what}. ${own.errors} of ${plural(own.trials, "trial")} ended in an error, first ${reason.code} in ${first?.caseId ?? "?"}: ${ended(reason.message)}`;
  return { status: "errors", sentence, next };
}

/** As a sentence ends. */
export function ended(text: string): string {
  return /[.!?…)]$/.test(text) ? text : `${text}.`;
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

function isShown({ setup }: VerdictFacts, { test }: PairedComparison): boolean {
  return setup.isDeterministic || test.p < SIGNIFICANT;
}

function worseThanOther(facts: VerdictFacts): Decision | undefined {
  for (const one of facts.paired) {
    const worse = one.flips?.regressions ?? [];
    if (worse.length > 0) {
      const names = worse.map(flipText).join(", ");
      const sentence = `Worse than ${spoken(one.second)} in ${plural(worse.length, "case")}: ${names}.`;
      return { status: "fail", sentence, next: NEXT.report };
    }
    if (one.difference.value >= 0 || !isShown(facts, one)) continue;
    const sentence = `Worse than ${spoken(one.second)}. ${one.sentence}`;
    return { status: "fail", sentence, next: NEXT.report };
  }
  return undefined;
}

function ofComparison(facts: VerdictFacts): Decision | undefined {
  const { setup, paired } = facts;
  for (const { flips, second } of paired) {
    const open = (flips?.suspects ?? []).filter(isUndecided);
    if (open.length === 0) continue;
    const names = open.map(flipText).join(", ");
    const sentence = `${plural(open.length, "case")} may be worse than ${spoken(second)}: ${names}.`;
    return { status: "inconclusive", sentence, next: NEXT.trials };
  }
  const bare = paired.find(({ second }) => second === "without_skill");
  if (bare === undefined || (bare.difference.value > 0 && isShown(facts, bare))) return undefined;
  const sentence = `The cases pass, but are not shown to be better than without the skill. ${bare.sentence}`;
  const next = setup.isDeterministic || bare.table.onlyFirst === 0 ? NEXT.lint : NEXT.trials;
  return { status: "inconclusive", sentence, next };
}

function passed({ arms: [own], paired, expectations }: VerdictFacts): Decision {
  const better = paired
    .map((one) => ` ${capitalized(spoken(one.second))}: ${one.sentence}`)
    .join("");
  const rate = own === undefined ? "" : formatRate(own.passed);
  const unjudged = expectations.withoutJudge + expectations.unsupported;
  // First, since a narrow terminal cuts the end.
  const left = unjudged > 0 ? `${plural(unjudged, "check")} unjudged; ` : "";
  return { status: "pass", sentence: `${left}${rate} passed.${better}`, next: NEXT.save };
}

function spoken(arm: PairedComparison["second"]): string {
  if (arm === "old_skill") return "the other version";
  return arm === "without_skill" ? "without the skill" : "with the skill";
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const EXIT_CODES: Readonly<Record<VerdictStatus, 0 | 1 | 4>> = {
  pass: 0,
  inconclusive: 0,
  fail: 1,
  errors: 4,
  "no-data": 4,
};

/** 0: nothing speaks against it. 1: it failed. 4: errors, or nothing was judged. */
export function verdictExitCode(
  { status }: Pick<Verdict, "status">,
  { failWhenInconclusive = false }: { readonly failWhenInconclusive?: boolean } = {},
): 0 | 1 | 4 {
  return status === "inconclusive" && failWhenInconclusive ? 1 : EXIT_CODES[status];
}
