import { type Metric, type Outcome, outcomeOf } from "../grade/grade.ts";
import type { Arm, TrialResult } from "../results/eval-results.ts";
import { rateOfCases } from "../statistics/rates.ts";
import type { AssertionFinding, CheckedArm, CheckSummary } from "./eval-summary.ts";
import { comparePaired } from "./paired-comparison.ts";

interface Assertion {
  readonly caseId: string;
  readonly metric: Metric;
  readonly text: string;
  readonly counts: Map<Arm["name"], { passed: number; judged: number }>;
}

/** So much less with the skill is no accident of a single trial among several. */
const HARMFUL = 0.5;

/** Checks that tell nothing, never pass, pass by chance, or pass better without the skill. */
export function findAssertions(
  trials: readonly TrialResult[],
  arms: readonly Arm["name"][],
  metrics: readonly Metric[],
): AssertionFinding[] {
  return [...collect(trials, metrics).values()].flatMap(({ caseId, metric, text, counts }) => {
    const seen = arms.flatMap((arm) => {
      const count = counts.get(arm);
      return count === undefined ? [] : [{ arm, ...count }];
    });
    const kind = kindOf(seen, arms[0]);
    return kind === undefined ? [] : [{ caseId, metric, text, kind, arms: seen }];
  });
}

function kindOf(
  seen: AssertionFinding["arms"],
  tested: Arm["name"] | undefined,
): AssertionFinding["kind"] | undefined {
  const own = seen.find(({ arm }) => arm === tested);
  const bare = seen.find(({ arm }) => arm === "without_skill");
  if (own === undefined) return undefined;
  if (seen.every(({ passed }) => passed === 0)) return "always-fails";
  if (bare !== undefined && bare !== own) {
    const difference = own.passed / own.judged - bare.passed / bare.judged;
    if (difference <= -HARMFUL) return "harmful";
    const isSure = own.passed === own.judged && bare.passed === bare.judged;
    if (isSure) return "never-discriminates";
  }
  return own.passed > 0 && own.passed < own.judged ? "flaky" : undefined;
}

function collect(
  trials: readonly TrialResult[],
  metrics: readonly Metric[],
): Map<string, Assertion> {
  const found = new Map<string, Assertion>();
  for (const { caseId, arm, grades, isMock } of trials) {
    if (isMock) continue;
    // A case may ask the same thing twice.
    const times = new Map<string, number>();
    for (const { metric, text, outcome } of grades) {
      if (!metrics.includes(metric)) continue;
      const time = (times.get(text) ?? 0) + 1;
      times.set(text, time);
      if (outcome !== "pass" && outcome !== "fail") continue;
      const key = JSON.stringify([caseId, metric, text, time]);
      const assertion = found.get(key) ?? { caseId, metric, text, counts: new Map() };
      const count = assertion.counts.get(arm) ?? { passed: 0, judged: 0 };
      count.judged++;
      if (outcome === "pass") count.passed++;
      assertion.counts.set(arm, count);
      found.set(key, assertion);
    }
  }
  return found;
}

/** How the checks of these kinds went in a trial; undefined when it has none, as after an error. */
export function outcomeOfMetrics(
  { grades }: Pick<TrialResult, "grades">,
  metrics: readonly Metric[],
): Outcome | undefined {
  const own = grades.filter(({ metric }) => metrics.includes(metric));
  return own.length === 0 ? undefined : outcomeOf(own);
}

export const SEQUENCE_METRICS: readonly Metric[] = ["sequence"];
export const OUTPUT_METRICS: readonly Metric[] = ["output", "judge"];

/** The checks of some kinds, for every arm; the first arm is compared with each other one. */
export function summarizeChecks(
  trials: readonly TrialResult[],
  arms: readonly Arm["name"][],
  metrics: readonly Metric[],
  seed: number,
): CheckSummary {
  const [first, ...others] = arms;
  const outcomeOf = (trial: TrialResult) => outcomeOfMetrics(trial, metrics);
  // What decides by itself does so in every arm: it tells nothing about a skill.
  const decided = trials.filter(({ isMock }) => !isMock);
  return {
    arms: arms.map((arm) => {
      const own = trials.filter((trial) => trial.arm === arm);
      return checkedArm(arm, own, metrics);
    }),
    paired: others.flatMap((second) => {
      if (first === undefined) return [];
      return comparePaired(decided, { first, second, outcomeOf, seed }) ?? [];
    }),
    assertions: findAssertions(trials, arms, metrics),
  };
}

/** Grade by grade: those of all trials together would not fit into the memory that an eval may take. */
function checkedArm(
  arm: Arm["name"],
  trials: readonly TrialResult[],
  metrics: readonly Metric[],
): CheckedArm {
  const counts = { pass: 0, fail: 0, error: 0, unjudged: 0 };
  const cases = new Map<string, boolean[]>();
  let total = 0;
  for (const { caseId, grades } of trials) {
    const own = grades.filter(({ metric }) => metrics.includes(metric));
    for (const { outcome, score } of own) {
      counts[outcome]++;
      if (outcome === "pass" || outcome === "fail") total += score;
    }
    const outcome = own.length === 0 ? undefined : outcomeOf(own);
    if (outcome !== "pass" && outcome !== "fail") continue;
    const passed = cases.get(caseId) ?? [];
    passed.push(outcome === "pass");
    cases.set(caseId, passed);
  }
  const checks = counts.pass + counts.fail;
  return {
    arm,
    passed: rateOfCases(cases.values()),
    score: checks > 0 ? total / checks : null,
    checks,
    errors: counts.error,
    unjudged: counts.unjudged,
  };
}
