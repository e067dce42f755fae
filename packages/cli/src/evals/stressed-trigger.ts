import type { TrialResult, TriggerSummary } from "@skillwright/evals";

/** The same requests with more skills in the catalog. */
export interface StressedTrigger {
  readonly added: number;
  readonly trigger: TriggerSummary;
  readonly lost: readonly LostCase[];
}

/** A case that was right, or more often so, and is not with so many skills. */
export interface LostCase {
  readonly caseId: string;
  /** What was selected where it was wrong; several when the trials differ. */
  readonly skills: readonly string[];
  /** Wrong in so many of the trials that were judged. */
  readonly trials: number;
  readonly of: number;
}

type Trial = Pick<TrialResult, "caseId" | "outcome" | "skills">;

/** Each case once, in the order of its first trial. */
export function lostCases(before: readonly Trial[], now: readonly Trial[]): LostCase[] {
  const was = tallies(before);
  return [...tallies(now)].flatMap(([caseId, { wrong, of, skills }]) => {
    const plain = was.get(caseId);
    const isLost = plain !== undefined && wrong / of > plain.wrong / plain.of;
    return isLost ? [{ caseId, skills: [...skills], trials: wrong, of }] : [];
  });
}

interface Tally {
  wrong: number;
  of: number;
  readonly skills: Set<string>;
}

function tallies(trials: readonly Trial[]): Map<string, Tally> {
  const byCase = new Map<string, Tally>();
  for (const { caseId, outcome, skills } of trials) {
    if (outcome !== "pass" && outcome !== "fail") continue;
    const tally = byCase.get(caseId) ?? { wrong: 0, of: 0, skills: new Set<string>() };
    byCase.set(caseId, tally);
    tally.of++;
    if (outcome === "pass") continue;
    tally.wrong++;
    for (const skill of skills) tally.skills.add(skill);
  }
  return byCase;
}
