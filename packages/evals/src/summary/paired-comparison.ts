import { groupBy } from "../group-by.ts";
import type { Flips } from "../compare/find-flips.ts";
import type { Outcome } from "../grade/grade.ts";
import type { Arm, TrialResult } from "../results/eval-results.ts";
import { formatDifference, formatProbability } from "../statistics/format-numbers.ts";
import type { Difference } from "../statistics/rates.ts";
import {
  mcnemarTest,
  type Pair,
  pairedDifference,
  pairsNeeded,
  type PassShare,
  signFlipTest,
} from "../statistics/paired.ts";

/** The same cases in two arms. */
export interface PairedComparison {
  readonly first: Arm["name"];
  readonly second: Arm["name"];
  readonly table: PairedTable;
  /** First minus second. */
  readonly difference: Difference;
  /** McNemar with one trial per case, sign flips of the means of cases with several. */
  readonly test: {
    readonly name: "mcnemar" | "sign-flip";
    readonly p: number;
    readonly method: "exact" | "monte-carlo";
  };
  /** So many pairs show a difference of this size with 80 % power; null when there is none. */
  readonly pairsNeeded: number | null;
  /** Of another version of the skill: cases that got worse with the tested one, and those that may have. */
  readonly flips?: Pick<Flips, "regressions" | "suspects" | "compared">;
  readonly sentence: string;
}

/** Cases by whether all their trials passed, in each arm. */
interface PairedTable {
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly neither: number;
}

export type PairedCase = Required<Pair>;

interface PairOptions {
  readonly first: Arm["name"];
  readonly second: Arm["name"];
  readonly outcomeOf: (trial: TrialResult) => Outcome | undefined;
  readonly seed: number;
}

/** Undefined when no case was judged in both arms. */
export function comparePaired(
  trials: readonly TrialResult[],
  { first, second, outcomeOf, seed }: PairOptions,
): PairedComparison | undefined {
  const shares = (arm: Arm["name"]) =>
    passShares(
      trials.filter((trial) => trial.arm === arm),
      outcomeOf,
    );
  const pairs = pairShares(shares(first), shares(second));
  if (pairs.length === 0) return undefined;
  const difference = pairedDifference(pairs);
  const test = pairedTest(pairs, seed);
  const needed = neededFor(pairs, difference.value);
  return {
    first,
    second,
    table: tableOf(pairs),
    difference,
    test,
    pairsNeeded: needed,
    sentence: sentenceOf(difference, test.p, needed),
  };
}

/** Of each case that was judged at all, in how many trials it passed. */
function passShares(
  trials: readonly TrialResult[],
  outcomeOf: (trial: TrialResult) => Outcome | undefined,
): Map<string, PassShare> {
  const shares = new Map<string, PassShare>();
  for (const [caseId, all] of groupBy(trials, (trial) => trial.caseId)) {
    const outcomes = all.map(outcomeOf);
    const passed = outcomes.filter((outcome) => outcome === "pass").length;
    const judged = passed + outcomes.filter((outcome) => outcome === "fail").length;
    if (judged > 0) shares.set(caseId, { passed, judged });
  }
  return shares;
}

function pairShares(
  first: ReadonlyMap<string, PassShare>,
  second: ReadonlyMap<string, PassShare>,
): PairedCase[] {
  return [...first].flatMap(([caseId, one]) => {
    const other = second.get(caseId);
    if (other === undefined) return [];
    return [pairOf(one, other)];
  });
}

export function pairOf(first: PassShare, second: PassShare): PairedCase {
  return {
    first: first.passed / first.judged,
    second: second.passed / second.judged,
    firstTrials: first.judged,
    secondTrials: second.judged,
  };
}

export function pairedTest(pairs: readonly PairedCase[], seed: number): PairedComparison["test"] {
  if (pairs.every((pair) => pair.firstTrials === 1 && pair.secondTrials === 1)) {
    const { onlyFirst, onlySecond } = tableOf(pairs);
    return { name: "mcnemar", p: mcnemarTest(onlyFirst, onlySecond).p, method: "exact" };
  }
  const differences = pairs.map(({ first, second }) => first - second);
  const { p, method } = signFlipTest(differences, seed);
  return { name: "sign-flip", p, method };
}

function tableOf(pairs: readonly Pair[]): PairedTable {
  const count = (isFirst: boolean, isSecond: boolean) =>
    pairs.filter((pair) => (pair.first === 1) === isFirst && (pair.second === 1) === isSecond)
      .length;
  return {
    both: count(true, true),
    onlyFirst: count(true, false),
    onlySecond: count(false, true),
    neither: count(false, false),
  };
}

function neededFor(pairs: readonly Pair[], difference: number): number | null {
  if (difference === 0) return null;
  const squares = pairs.reduce((sum, { first, second }) => sum + (first - second) ** 2, 0);
  const discordant = squares / pairs.length;
  return pairsNeeded({ difference, discordant });
}

function sentenceOf(difference: Difference, p: number, needed: number | null): string {
  const seen = `${formatDifference(difference)}, p ${formatProbability(p)}`;
  if (difference.value === 0) return `No difference was seen: ${seen}.`;
  if (p < 0.05) return `${difference.value > 0 ? "Better" : "Worse"}: ${seen}.`;
  const enough =
    needed !== null && needed > difference.n
      ? ` To show a difference of this size about ${needed} cases are needed.`
      : "";
  return `Not statistically significant: ${seen}.${enough}`;
}
