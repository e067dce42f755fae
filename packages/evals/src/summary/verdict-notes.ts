import { ARM_WORDS } from "./arm-words.ts";
import { mcnemarTest } from "../statistics/mcnemar-test.ts";
import type { ArmSummary } from "./eval-summary.ts";
import type { VerdictFacts } from "./verdict-facts.ts";

/** Below it, even a perfect score leaves room for one failure in ten. */
const FEW_CASES = 35;
const SIGNIFICANT = 0.05;

/** What a reader has to know beside the numbers: how few they are, and what is in none of them. */
export function verdictNotes(facts: VerdictFacts): string[] {
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
      "Each case was tried once: how steady the model is cannot be told.",
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
      `${unsupported} of ${total} expectations were not judged: they are graders of another client that cannot be run here, and no case that has one passes. Which they are says skillwright eval lint.`,
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
