import type { EvalCase } from "../cases/eval-case.ts";
import { groupBy } from "../summary/group-by.ts";
import { wordsOf } from "../suggest/words-of.ts";
import { type Check, type Finding, quoted } from "./lint-context.ts";
import { nearDuplicates } from "./near-duplicates.ts";

const NEAR = 0.8;
/** Shorter ones are alike by accident. */
const FEWEST_WORDS = 4;

/** Requests that are asked twice, or that differ in a word or two. */
export const checkDuplicates: Check = ({ cases }) => {
  const asked = cases.filter(({ mock }) => mock === undefined);
  const groups = [...groupBy(asked, ({ input, files }) => keyOf(input, files)).values()];
  const firsts = groups.flatMap(([first]) => (first === undefined ? [] : [first]));
  return [...groups.flatMap(sameRequests), ...nearRequests(firsts)];
};

function sameRequests([first, ...others]: readonly EvalCase[]): Finding[] {
  if (first === undefined) return [];
  return others.map((other) => {
    const name = contradiction(first, other);
    if (name !== undefined) {
      const message = `${other.id}: the same request as ${first.id}, which expects the opposite of ${name}`;
      return { code: "cases-contradict" as const, message, origin: other.origin };
    }
    const message = `${other.id}: the request ${quoted(other.input)} is that of ${first.id}`;
    return { code: "case-duplicate" as const, message, origin: other.origin };
  });
}

/** The skill that one of them wants and the other rules out. */
function contradiction(first: EvalCase, second: EvalCase): string | undefined {
  const clash = ({ expected: { skills: a } }: EvalCase, { expected: { skills: b } }: EvalCase) =>
    a?.used.find((name) => b?.unused.includes(name) || (b?.only && !b.used.includes(name)));
  return clash(first, second) ?? clash(second, first);
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
