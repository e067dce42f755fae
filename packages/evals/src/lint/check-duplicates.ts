import type { EvalCase, ExpectedSkills } from "../cases/eval-case.ts";
import { groupBy } from "../summary/summarize-cases.ts";
import { wordsOf } from "../suggest/words-of.ts";
import { includesSkill } from "../trigger/judge-selection.ts";
import { type Check, type Finding, quoted } from "./lint-context.ts";
import { nearDuplicates } from "./near-duplicates.ts";

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
