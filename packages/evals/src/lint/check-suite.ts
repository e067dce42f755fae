import { groupBy } from "../group-by.ts";
import { plural } from "@skillwright/core/internal";
import type { EvalCase, ExpectedSkills } from "../cases/eval-case.ts";
import { casesToShow, wilsonInterval } from "../statistics/rates.ts";
import { includesSkill, oneSpelling } from "../trigger/judge-selection.ts";
import { type Check, type Finding, type LintCasesOptions, quoted } from "./lint-context.ts";

interface Kinds {
  readonly positive: EvalCase[];
  readonly negative: EvalCase[];
}

/** For each skill that cases are about: whether some want it and some do not. */
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
  if (wanted > 0) return [];
  const message = `${skill}: ${plural(unwanted, "case")} rule it out and none wants it`;
  return [{ code: "positives-missing", message, origin }];
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

/** A request that is there a thousand times is compared with these. */
const MOST_EARLIER = 50;

/** Requests that are asked twice. */
export const checkDuplicates: Check = ({ cases }) => {
  const asked = cases.filter(({ mock }) => mock === undefined);
  return [...groupBy(asked, ({ input, files }) => keyOf(input, files)).values()].flatMap(
    sameRequests,
  );
};

function sameRequests(cases: readonly EvalCase[]): Finding[] {
  return cases.flatMap((other, i): Finding[] => {
    const earlier = cases.slice(0, Math.min(i, MOST_EARLIER));
    const opposite = earlier.find((one) => contradiction(one, other) !== undefined);
    if (opposite !== undefined) {
      const message = `${other.id}: the same request as ${opposite.id}, which expects the opposite of ${contradiction(opposite, other)}`;
      return [{ code: "cases-contradict", message, origin: other.origin }];
    }
    const same = earlier.find((one) => isAboutTheSame(one, other));
    if (same === undefined) return [];
    const message = `${other.id}: the request ${quoted(other.input)} is that of ${same.id}`;
    return [{ code: "case-duplicate", message, origin: other.origin }];
  });
}

/** Two skills may both have a request as a near miss. */
function isAboutTheSame(one: EvalCase, other: EvalCase): boolean {
  const expectation = ({ expected }: EvalCase) => JSON.stringify(expected.skills ?? null);
  return one.origin.skill === other.origin.skill || expectation(one) === expectation(other);
}

/** The skill that one of them wants and the other rules out. */
function contradiction(first: EvalCase, second: EvalCase): string | undefined {
  const [a, b] = [first.expected.skills, second.expected.skills];
  if (a === undefined || b === undefined) return undefined;
  return a.used.find((name) => isRuledOut(name, b)) ?? b.used.find((name) => isRuledOut(name, a));
}

function isRuledOut(name: string, { used, unused, only }: ExpectedSkills): boolean {
  return includesSkill(unused, name) || (only && !includesSkill(used, name));
}

/** The same request with other files is another one. */
function keyOf(input: string, files: EvalCase["files"]): string {
  const text = input
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, " ")
    .trim();
  return JSON.stringify([text, files]);
}

const PASS_RATE = 0.8;

/** Whether the cases of a skill could show what they are to show, if all went well. */
export const checkSize: Check = ({ cases, claim = {} }) => {
  const tested = cases.filter(({ mock }) => mock === undefined);
  return [...groupBy(tested, subjectOf)].flatMap(([subject, own]) => tooFew(subject, own, claim));
};

function tooFew(
  subject: string,
  cases: readonly EvalCase[],
  { passRate = PASS_RATE }: NonNullable<LintCasesOptions["claim"]>,
): Finding[] {
  const [first] = cases;
  const n = cases.length;
  const needed = casesToShow(passRate);
  if (first === undefined || n >= needed) return [];
  const least = Math.round(wilsonInterval(n, n).low * 100);
  const message = `${subject}: ${plural(n, "case")}; even if all pass, as few as ${least} % of such requests may go well (${needed} cases show ${Math.round(passRate * 100)} %)`;
  return [{ code: "cases-too-few", message, origin: first.origin }];
}

function subjectOf({ origin, expected }: EvalCase): string {
  return origin.skill ?? expected.skills?.used[0] ?? expected.skills?.unused[0] ?? origin.file;
}
