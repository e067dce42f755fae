import { groupBy } from "../group-by.ts";
import { plural } from "@skillwright/core/internal";
import { type AnswerPreference, type Arm, ARM_WORDS } from "../results/eval-results.ts";
import { formatInterval, formatProbability } from "../statistics/format-numbers.ts";
import { mcnemarTest } from "../statistics/paired.ts";
import { type Rate, rateOf } from "../statistics/rates.ts";

/** What a judge says about the answers of the tested arm and of another one. What is independent is a case. */
export interface PreferenceSummary {
  readonly other: Arm["name"];
  /** Cases in which the tested arm is preferred in more trials than the other one. */
  readonly wins: number;
  /** And in fewer. */
  readonly losses: number;
  /** And in as many. */
  readonly ties: number;
  /** Cases of which no trial was told. */
  readonly errors: number;
  readonly comparisons: ComparisonCount;
  /** Of the cases that are decided: neither ties nor errors. */
  readonly winRate: Rate;
  /** Exact two-sided sign test over the cases that are decided. */
  readonly p: number;
  readonly sentence: string;
}

/** Of single trials. */
interface ComparisonCount {
  readonly total: number;
  /** Ties because the judge changed its mind with the order. */
  readonly dependOnOrder: number;
  readonly errors: number;
}

const SIGNIFICANT = 0.05;

/** One for each other arm. */
export function summarizePreferences(
  preferences: readonly AnswerPreference[],
): readonly PreferenceSummary[] {
  return [...groupBy(preferences, ({ other }) => other)]
    .map(([other, all]) => summaryOf(other, all))
    .sort((a, b) => (a.other < b.other ? -1 : 1));
}

function summaryOf(
  other: Arm["name"],
  preferences: readonly AnswerPreference[],
): PreferenceSummary {
  const results = [...groupBy(preferences, ({ caseId }) => caseId).values()].map(caseWinner);
  const count = (wanted: CaseWinner) => results.filter((one) => one === wanted).length;
  const [wins, losses] = [count("first"), count("second")];
  const counts = {
    other,
    wins,
    losses,
    ties: count("tie"),
    errors: count("error"),
    comparisons: {
      total: preferences.length,
      dependOnOrder: preferences.filter((one) => "winner" in one && one.dependsOnOrder).length,
      errors: preferences.filter((one) => "error" in one).length,
    },
    winRate: rateOf(wins, wins + losses),
    p: mcnemarTest(wins, losses).p,
  };
  return { ...counts, sentence: sentenceOf(counts) };
}

type CaseWinner = "first" | "second" | "tie" | "error";

/** What the trials of a case come to: they are no independent votes, so a case has one. */
export function caseWinner(preferences: readonly AnswerPreference[]): CaseWinner {
  const told = preferences.flatMap((one) => ("winner" in one ? [one.winner] : []));
  if (told.length === 0) return "error";
  const score = told.reduce((sum, one) => sum + SCORES[one], 0);
  if (score === 0) return "tie";
  return score > 0 ? "first" : "second";
}

const SCORES = { first: 1, second: -1, tie: 0 } as const;

function sentenceOf(counts: Omit<PreferenceSummary, "sentence">): string {
  const { wins, losses, ties, comparisons } = counts;
  const decided = wins + losses;
  const beside = [
    ...(decided > 0 && ties > 0
      ? [`${plural(ties, "more case")} ${areOr(ties, "a tie", "ties")}`]
      : []),
    ...(comparisons.dependOnOrder > 0
      ? [
          `${comparisons.dependOnOrder} of ${plural(comparisons.total, "comparison")} ${comparisons.dependOnOrder === 1 ? "depends" : "depend"} on the order and ${areOr(comparisons.dependOnOrder, "a tie", "ties")}`,
        ]
      : []),
    ...(comparisons.errors > 0
      ? [`${plural(comparisons.errors, "comparison")} could not be made`]
      : []),
  ];
  return `${[mainClause(counts), ...beside].join("; ")}.`;
}

function mainClause({
  other,
  wins,
  losses,
  ties,
  winRate,
  p,
}: Omit<PreferenceSummary, "sentence">): string {
  const decided = wins + losses;
  const others = `those ${ARM_WORDS[other]}`;
  if (decided === 0) {
    const between = `between the answers of the tested arm and ${others}`;
    if (ties === 0) return `The judge told nothing ${between}`;
    return `The judge decides no case ${between}: ${plural(ties, "case")} ${areOr(ties, "a tie", "ties")}`;
  }
  const cases = `${wins} of ${plural(decided, "decided case")} (95 % interval ${formatInterval(winRate)})`;
  const seen = `The judge prefers the answers of the tested arm to ${others} in ${cases}, p ${formatProbability(p)}`;
  if (p < SIGNIFICANT) return seen;
  return mcnemarTest(decided, 0).p > SIGNIFICANT
    ? `${seen}, too few to show a preference: 6 that all go one way are the least`
    : `${seen}, which cannot be told from chance`;
}

function areOr(count: number, one: string, many: string): string {
  return count === 1 ? `is ${one}` : `are ${many}`;
}
