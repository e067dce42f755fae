import type { ExpectedSkills } from "../cases/eval-case.ts";
import type { Arm, TrialResult } from "../results/eval-results.ts";
import { groupBy } from "../summary/group-by.ts";
import { oneSpelling } from "./same-skill.ts";
import type { LeftOut } from "./trigger-summary.ts";

/** A case with the skills that each of its trials selected. */
export interface TriggerCase {
  readonly id: string;
  readonly input: string;
  readonly expected: ExpectedSkills;
  readonly trials: readonly ReadonlySet<string>[];
}

/** Those of an arm that say something about triggering, in the order of their first trial. */
export function triggerCases(
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
