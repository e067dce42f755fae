import { plural } from "@skillwright/core/internal";
import type { EvalCase } from "../cases/eval-case.ts";
import { includesSkill, oneSpelling } from "../trigger/judge-selection.ts";
import type { Check, Finding } from "./lint-context.ts";

interface Kinds {
  readonly positive: EvalCase[];
  readonly negative: EvalCase[];
}

const MOST_UNEVEN = 4;
/** Of so few, one more would change everything: that they are few is said elsewhere. */
const FEWEST_CASES = 6;

/** For each skill that cases are about: whether some want it and some do not, in fair numbers. */
export const checkBalance: Check = ({ cases }) => {
  const real = cases.filter(({ mock }) => mock === undefined);
  return [...casesBySkill(real)].flatMap(([skill, kinds]) => balanceOf(skill, kinds, real));
};

function balanceOf(
  skill: string,
  { positive, negative }: Kinds,
  cases: readonly EvalCase[],
): Finding[] {
  const [first] = [...positive, ...negative];
  if (first === undefined) return [];
  const { origin } = first;
  const [wanted, unwanted] = [positive.length, negative.length];
  if (unwanted === 0) {
    if (isRuledOutElsewhere(skill, cases)) return [];
    const message = `${skill}: ${plural(wanted, "case")} want it and none rules it out`;
    const hint = "Near misses are proposed by: skillwright eval suggest";
    return [{ code: "negatives-missing", message, origin, hint }];
  }
  if (wanted === 0) {
    const message = `${skill}: ${plural(unwanted, "case")} rule it out and none wants it`;
    return [{ code: "positives-missing", message, origin }];
  }
  const isUneven = Math.max(wanted, unwanted) > MOST_UNEVEN * Math.min(wanted, unwanted);
  if (!isUneven || wanted + unwanted < FEWEST_CASES) return [];
  const message = `${skill}: ${plural(wanted, "case")} want it and ${unwanted} rule it out`;
  return [{ code: "cases-imbalanced", message, origin }];
}

/** A request that belongs to another skill rules this one out too. */
function isRuledOutElsewhere(skill: string, cases: readonly EvalCase[]): boolean {
  return cases.some(({ expected: { skills } }) => {
    if (skills === undefined || includesSkill(skills.used, skill)) return false;
    return skills.only || skills.used.length > 0;
  });
}

function casesBySkill(cases: readonly EvalCase[]): Map<string, Kinds> {
  const bySkill = new Map<string, Kinds>();
  const spell = oneSpelling();
  const kindsOf = (name: string) => {
    const skill = spell(name);
    const kinds = bySkill.get(skill) ?? { positive: [], negative: [] };
    bySkill.set(skill, kinds);
    return kinds;
  };
  for (const one of cases) {
    for (const skill of one.expected.skills?.used ?? []) kindsOf(skill).positive.push(one);
    for (const skill of one.expected.skills?.unused ?? []) kindsOf(skill).negative.push(one);
  }
  return bySkill;
}
