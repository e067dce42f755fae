import { groupBy } from "../group-by.ts";
import type { Arm, TrialResult } from "../results/eval-results.ts";
import { clusterBootstrap, type Row, sumsOfMeans } from "../statistics/cluster-bootstrap.ts";
import { rateOf, rateOfCases, wilsonInterval } from "../statistics/rates.ts";
import { confusionMatrix } from "./confusion-matrix.ts";
import { judgeSelection, oneSpelling, type SelectionJudgment } from "./judge-selection.ts";
import type {
  F1,
  LeftOut,
  TriggerCase,
  TriggerMistake,
  TriggerScores,
  TriggerSummary,
} from "./trigger-summary.ts";

/** Those of an arm that say something about triggering, in the order of their first trial. */
function triggerCases(
  trials: readonly TrialResult[],
  arm: Arm["name"],
): { readonly cases: readonly TriggerCase[]; readonly left: LeftOut } {
  const spell = oneSpelling();
  // As the catalog spells them: what was selected comes first.
  for (const { skills } of trials) skills.forEach(spell);
  const byCase = groupBy(
    trials.filter((trial) => trial.arm === arm),
    ({ caseId }) => caseId,
  );
  const cases: TriggerCase[] = [];
  const casesWithErrorsOnly: string[] = [];
  let [errors, mock, silent] = [0, 0, 0];
  for (const [id, all] of byCase) {
    const [first] = all;
    if (first?.isMock === true) mock++;
    else if (first?.expectedSkills === undefined) silent++;
    else {
      const ended = all.filter(hasEnded);
      errors += all.length - ended.length;
      if (ended.length === 0) casesWithErrorsOnly.push(id);
      else {
        const selected = ended.map(({ skills }) => new Set(skills.map(spell)));
        const { used, unused, only } = first.expectedSkills;
        const expected = { used: used.map(spell), unused: unused.map(spell), only };
        cases.push({ id, input: first.input, expected, trials: selected });
      }
    }
  }
  return { cases, left: { errors, casesWithErrorsOnly, mock, silent } };
}

/** A grader that failed comes after the run: what was selected is known all the same. */
function hasEnded({ outcome, error, grades }: TrialResult): boolean {
  if (error !== undefined) return error.code === "grader-failed";
  return outcome !== "error" || grades.length > 0;
}

/** What a trial adds: how many were selected rightly, wrongly, and not though expected. */
interface Counts {
  readonly right: number;
  readonly wrong: number;
  readonly missing: number;
}

/** Of each case the counts of its trials. */
function triggerScores(cases: readonly (readonly Counts[])[], seed: number): TriggerScores {
  const telling = cases.filter((trials) => trials.some((counts) => sizeOf(counts) > 0));
  const { right, wrong, missing } = sumOfCases(telling);
  const selecting = telling.map((trials) => trials.filter((one) => one.right + one.wrong > 0));
  const expecting = telling.filter((trials) => trials.some((one) => one.right + one.missing > 0));
  const shareSelected = selecting.map((some, i) => some.length / (telling[i]?.length ?? 1));
  const casesSelected = shareSelected.reduce((sum, share) => sum + share, 0);
  return {
    precision: scaled(right, right + wrong, casesSelected, selecting.flat().length),
    recall: scaled(right, right + missing, expecting.length, expecting.flat().length),
    f1: f1Of(telling, seed),
  };
}

/** A case in which several skills are expected is still one case: `n` is never more than the cases. */
function scaled(successes: number, total: number, cases: number, trials: number) {
  const n = Math.min(total, cases);
  return rateOf(total > 0 ? (successes / total) * n : 0, n, trials);
}

function f1Of(cases: readonly (readonly Counts[])[], seed: number): F1 {
  const sums = sumOfCases(cases);
  const value = f1(sums);
  const n = cases.length;
  if (value === undefined) return { value: null, low: 0, high: 1, n };
  const statistic = ([right = 0, wrong = 0, missing = 0]: Float64Array) =>
    f1({ right, wrong, missing });
  const interval = clusterBootstrap(cases.map(rowsOf), statistic, { seed });
  if (interval !== undefined && interval.low < interval.high) {
    const { low, high } = interval;
    return { value, low: Math.min(low, value), high: Math.max(high, value), n };
  }
  // F1 is 2J / (1 + J) of the share J that is right of all that was selected or expected.
  const total = Math.min(sizeOf(sums), n);
  const jaccard = wilsonInterval((sums.right / sizeOf(sums)) * total, total);
  const turn = (share: number) => (2 * share) / (1 + share);
  return { value, low: turn(jaccard.low), high: turn(jaccard.high), n };
}

function f1({ right, wrong, missing }: Counts): number | undefined {
  const total = 2 * right + wrong + missing;
  return total > 0 ? (2 * right) / total : undefined;
}

function sumOfCases(cases: readonly (readonly Counts[])[]): Counts {
  const [right = 0, wrong = 0, missing = 0] = sumsOfMeans(cases.map(rowsOf));
  return { right, wrong, missing };
}

function rowsOf(trials: readonly Counts[]): readonly Row[] {
  return trials.map(({ right, wrong, missing }) => [right, wrong, missing]);
}

function sizeOf({ right, wrong, missing }: Counts): number {
  return right + wrong + missing;
}

interface TriggerOptions {
  readonly seed: number;
  /** The one that is tested unless said otherwise: `with_skill`. */
  readonly arm?: Arm["name"];
}

interface JudgedCase extends TriggerCase {
  readonly judgments: readonly SelectionJudgment[];
}

/** Precision, recall and confusion over all skills, from the trials of one arm. */
export function evaluateTrigger(
  trials: readonly TrialResult[],
  { seed, arm = "with_skill" }: TriggerOptions,
): TriggerSummary {
  const { cases, left } = triggerCases(trials, arm);
  const judged = cases.map((one) => ({
    ...one,
    judgments: one.trials.map((selected) => judgeSelection(one.expected, selected)),
  }));
  const wantsNone = ({ expected }: TriggerCase) => expected.used.length === 0 && expected.only;
  const abstains = (some: readonly TriggerCase[]) =>
    rateOfCases(some.map((one) => one.trials.map(({ size }) => size === 0)));
  return {
    arm,
    n: cases.length,
    trials: cases.reduce((sum, one) => sum + one.trials.length, 0),
    left,
    overall: {
      ...triggerScores(
        judged.map(({ judgments }) => judgments.map(countAll)),
        seed,
      ),
      correct: rateOfCases(judged.map(({ judgments }) => judgments.map(isCorrect))),
    },
    skills: scoresOfSkills(judged, seed),
    abstention: {
      rightly: abstains(cases.filter(wantsNone)),
      wrongly: abstains(cases.filter(({ expected }) => expected.used.length > 0)),
    },
    confusion: confusionMatrix(cases),
    mistakes: judged.flatMap(mistakesOf),
  };
}

/** Each case is looked at only for the skills that it touches: a catalog may be large. */
function scoresOfSkills(judged: readonly JudgedCase[], seed: number): TriggerSummary["skills"] {
  const bySkill = new Map<string, Counts[][]>();
  for (const { judgments } of judged) {
    const touched = new Set(
      judgments.flatMap(({ right, missing, wrong }) => [...right, ...missing, ...wrong]),
    );
    for (const skill of touched) {
      const cases = bySkill.get(skill) ?? [];
      cases.push(judgments.map((judgment) => countOne(judgment, skill)));
      bySkill.set(skill, cases);
    }
  }
  return [...bySkill]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([skill, cases]) => ({ skill, ...triggerScores(cases, seed) }));
}

function countAll({ right, wrong, missing }: SelectionJudgment): Counts {
  return { right: right.length, wrong: wrong.length, missing: missing.length };
}

function countOne({ right, wrong, missing }: SelectionJudgment, skill: string): Counts {
  const count = (skills: readonly string[]) => (skills.includes(skill) ? 1 : 0);
  return { right: count(right), wrong: count(wrong), missing: count(missing) };
}

function isCorrect({ wrong, missing }: SelectionJudgment): boolean {
  return wrong.length === 0 && missing.length === 0;
}

function mistakesOf({ id, input, expected, judgments }: JudgedCase): TriggerMistake[] {
  const found = new Map<string, TriggerMistake>();
  for (const { kind, skill } of judgments.flatMap(({ mistakes }) => mistakes)) {
    const key = `${kind} ${skill}`;
    const trials = (found.get(key)?.trials ?? 0) + 1;
    const [caseId, of] = [id, judgments.length];
    found.set(key, { caseId, input, expected: expected.used, kind, skill, trials, of });
  }
  return [...found.values()];
}
