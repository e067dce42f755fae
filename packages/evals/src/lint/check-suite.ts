import { groupBy } from "../group-by.ts";
import { plural } from "@skillwright/core/internal";
import type { EvalCase, ExpectedSkills } from "../cases/eval-case.ts";
import { pairsNeeded } from "../statistics/paired.ts";
import { casesToShow, wilsonInterval } from "../statistics/rates.ts";
import { wordsOf } from "../suggest/words-of.ts";
import { includesSkill, oneSpelling } from "../trigger/judge-selection.ts";
import { type Check, type Finding, type LintCasesOptions, quoted } from "./lint-context.ts";

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

/** So many others that share a rare word are looked at: texts of a template share all. */
const MOST_CANDIDATES = 200;

/**
 * Of each text, an earlier one that shares at least this much of their words (Jaccard). Two such texts
 * share one of their rarest words, so that only texts with one in common are compared.
 */
export function nearDuplicates(
  texts: readonly ReadonlySet<string>[],
  share: number,
): { readonly index: number; readonly earlier: number }[] {
  const counts = new Map<string, number>();
  for (const words of texts)
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const rarestFirst = (a: string, b: string) =>
    (counts.get(a) ?? 0) - (counts.get(b) ?? 0) || (a < b ? -1 : 1);
  const byWord = new Map<string, number[]>();
  const found: { index: number; earlier: number }[] = [];
  for (const [index, words] of texts.entries()) {
    const rare = [...words].sort(rarestFirst);
    const prefix = rare.slice(0, words.size - Math.ceil(share * words.size) + 1);
    const earlier = findEarlier(words, prefix);
    if (earlier !== undefined) found.push({ index, earlier });
    for (const word of prefix) addTo(byWord, word, index);
  }
  return found;

  function findEarlier(words: ReadonlySet<string>, prefix: readonly string[]): number | undefined {
    let looked = 0;
    for (const word of prefix) {
      for (const other of byWord.get(word) ?? []) {
        const others = texts[other] ?? new Set();
        // Too different in length to be alike.
        if (Math.min(words.size, others.size) < share * Math.max(words.size, others.size)) continue;
        if (jaccard(words, others) >= share) return other;
        if (++looked >= MOST_CANDIDATES) return undefined;
      }
    }
    return undefined;
  }
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  const total = a.size + b.size - common;
  return total === 0 ? 0 : common / total;
}

function addTo(byWord: Map<string, number[]>, word: string, index: number): void {
  const indexes = byWord.get(word);
  if (indexes === undefined) byWord.set(word, [index]);
  else if (indexes.length < MOST_CANDIDATES) indexes.push(index);
}

const NEAR = 0.8;
/** Shorter ones are alike by accident. */
const FEWEST_WORDS = 4;
/** A request that is there a thousand times is compared with these. */
const MOST_EARLIER = 50;

/** Requests that are asked twice, or that differ in a word or two. */
export const checkDuplicates: Check = ({ cases }) => {
  const asked = cases.filter(({ mock }) => mock === undefined);
  const groups = [...groupBy(asked, ({ input, files }) => keyOf(input, files)).values()];
  const firsts = groups.flatMap(([first]) => (first === undefined ? [] : [first]));
  return [...groups.flatMap(sameRequests), ...nearRequests(firsts)];
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

/** Only those that expect the same: a near miss is meant to be near. */
function nearRequests(cases: readonly EvalCase[]): Finding[] {
  const expecting = groupBy(cases, ({ expected }) => JSON.stringify(expected.skills ?? null));
  return [...expecting.values()].flatMap((group) => {
    const long = group
      .map((one) => ({ one, words: new Set(wordsOf(one.input)) }))
      .filter(({ words }) => words.size >= FEWEST_WORDS);
    const pairs = nearDuplicates(
      long.map(({ words }) => words),
      NEAR,
    );
    return pairs.flatMap(({ index, earlier }): Finding[] => {
      const [other, first] = [long[index]?.one, long[earlier]?.one];
      if (other === undefined || first === undefined) return [];
      const message = `${other.id}: the request ${quoted(other.input)} is almost that of ${first.id}, ${quoted(first.input)}`;
      return [{ code: "case-near-duplicate", message, origin: other.origin }];
    });
  });
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
  { passRate = PASS_RATE, difference }: NonNullable<LintCasesOptions["claim"]>,
): Finding[] {
  const [first] = cases;
  if (first === undefined) return [];
  const n = cases.length;
  const origin = first.origin;
  const findings: Finding[] = [];
  const needed = casesToShow(passRate);
  if (n < needed) {
    const least = Math.round(wilsonInterval(n, n).low * 100);
    const message = `${subject}: ${plural(n, "case")}; even if all pass, as few as ${least} % of such requests may go well (${needed} cases show ${percent(passRate)})`;
    findings.push({ code: "cases-too-few", message, origin });
  }
  if (difference !== undefined && difference > 0) {
    // About twice as many cases change as the difference says: some get worse.
    const pairs = pairsNeeded({ difference, discordant: Math.min(1, 2 * difference) });
    const message = `${subject}: ${plural(n, "case")}; a difference of ${Math.round(difference * 100)} points needs about ${pairs}`;
    if (n < pairs) findings.push({ code: "cases-too-few", message, origin });
  }
  return findings;
}

function subjectOf({ origin, expected }: EvalCase): string {
  return origin.skill ?? expected.skills?.used[0] ?? expected.skills?.unused[0] ?? origin.file;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
