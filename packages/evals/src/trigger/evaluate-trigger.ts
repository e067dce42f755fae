import type { Arm, TrialResult } from "../results/eval-results.ts";
import { rateOfCases } from "../statistics/rate.ts";
import { confusionMatrix } from "./confusion-matrix.ts";
import { judgeSelection, type SelectionJudgment } from "./judge-selection.ts";
import { type TriggerCase, triggerCases } from "./trigger-cases.ts";
import { type Counts, triggerScores } from "./trigger-scores.ts";
import type { TriggerMistake, TriggerSummary } from "./trigger-summary.ts";

export interface TriggerOptions {
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
