import { groupBy } from "../../group-by.ts";
import type { Arm, EvalResults, TrialResult } from "../../results/eval-results.ts";
import type { CaseInArm } from "../../summary/eval-summary.ts";
import { OUTPUT_METRICS, outcomeOfMetrics } from "../../summary/summarize-checks.ts";
import { caseInArm } from "../../summary/summarize-cases.ts";
import { armLabel, type ReportInput } from "../report-text.ts";

/** One arm of one run: what stands side by side in the report. */
export interface ReportSide {
  readonly label: string;
  readonly arm: Arm["name"];
  readonly run: "now" | "before";
  readonly trials: readonly TrialResult[];
}

/** A case as every side saw it. */
export interface ReportCase {
  readonly id: string;
  /** Any of its trials: for what all of them share. */
  readonly about: TrialResult;
  /** As many as there are sides; undefined where the side did not run it. */
  readonly sides: readonly (CaseOnSide | undefined)[];
  readonly isFailed: boolean;
  readonly isDifferent: boolean;
  readonly hasError: boolean;
}

export interface CaseOnSide extends CaseInArm {
  readonly trials: readonly TrialResult[];
}

export function reportSides({ results, other }: Pick<ReportInput, "results" | "other">) {
  const hasBefore = other !== undefined;
  return [
    ...sidesOfRun(results, "now", hasBefore),
    ...(other === undefined ? [] : sidesOfRun(other, "before", hasBefore)),
  ];
}

/** Those that need a look first; apart from that in the order of their ids. */
export function reportCases(sides: readonly ReportSide[]): ReportCase[] {
  const bySide = sides.map(({ trials }) => groupBy(trials, ({ caseId }) => caseId));
  const ids = [...new Set(bySide.flatMap((cases) => [...cases.keys()]))].sort();
  const cases = ids.flatMap((id) => {
    const shown = sides.map(({ arm }, at) => onSide(arm, bySide[at]?.get(id)));
    const about = shown.find((side) => side !== undefined)?.trials[0];
    return about === undefined ? [] : [reportCase(id, about, sides, shown)];
  });
  return cases.sort((a, b) => urgencyOf(a) - urgencyOf(b));
}

function sidesOfRun(results: EvalResults, run: ReportSide["run"], hasBefore: boolean) {
  const { setup, trials } = results;
  const arms = [
    ...new Set([...setup.arms.map(({ name }) => name), ...trials.map(({ arm }) => arm)]),
  ];
  const byArm = groupBy(trials, ({ arm }) => arm);
  return arms.map((arm): ReportSide => {
    const label = hasBefore ? `${armLabel(arm)}, ${run}` : armLabel(arm);
    const own = (byArm.get(arm) ?? []).toSorted((a, b) => a.trial - b.trial);
    return { label, arm, run, trials: own };
  });
}

function onSide(arm: Arm["name"], trials: readonly TrialResult[] | undefined) {
  if (trials === undefined) return undefined;
  const judged = arm === "without_skill" ? trials.map(byOutput) : trials;
  return { ...caseInArm(arm, judged), trials };
}

/** Without the skill it can neither be selected nor followed: only what came out counts. */
function byOutput(trial: TrialResult): Pick<TrialResult, "outcome"> {
  if (trial.error !== undefined) return { outcome: "error" };
  return { outcome: outcomeOfMetrics(trial, OUTPUT_METRICS) ?? "unjudged" };
}

function reportCase(
  id: string,
  about: TrialResult,
  sides: readonly ReportSide[],
  shown: ReportCase["sides"],
): ReportCase {
  const [own] = shown;
  return {
    id,
    about,
    sides: shown,
    isFailed: own?.outcome === "fail" || own?.outcome === "flaky",
    isDifferent: sides.some((_, at) => isDifferent(sides, shown, at)),
    hasError: shown.some((side) => side !== undefined && side.errors > 0),
  };
}

/** From the same arm of the run of now, or from the arm that is tested there. */
function isDifferent(
  sides: readonly ReportSide[],
  shown: ReportCase["sides"],
  at: number,
): boolean {
  const { arm } = sides[at] ?? {};
  const same = sides.findIndex((side) => side.run === "now" && side.arm === arm);
  const [one, other] = [shown[at], shown[same === -1 || same === at ? 0 : same]];
  if (one === undefined || other === undefined || one === other) return false;
  const isBare = (one.arm === "without_skill") !== (other.arm === "without_skill");
  if (!isBare) return one.outcome !== other.outcome;
  const outcomes = [one, other].map(
    ({ arm, trials }) => caseInArm(arm, trials.map(byOutput)).outcome,
  );
  return !outcomes.includes("unjudged") && outcomes[0] !== outcomes[1];
}

function urgencyOf({ sides: [own], isDifferent }: ReportCase): number {
  const order = ["fail", "flaky", "error", "unjudged"].indexOf(own?.outcome ?? "unjudged");
  if (order >= 0) return order;
  return isDifferent ? 4 : 5;
}
