import type { Judge, Preference, PreferenceQuestion } from "./judge.ts";

const SWAPPED = { first: "second", second: "first", tie: "tie" } as const;

export async function compareAnswers(
  judge: Judge,
  question: PreferenceQuestion,
): Promise<Preference> {
  const { first, second } = question;
  if (first === second) return { ok: true, winner: "tie", evidence: "both answers are the same" };
  const one = await judge.prefer(question);
  if (!one.ok) return one;
  const other = await judge.prefer({ ...question, first: second, second: first });
  if (!other.ok) return other;
  if (one.winner === SWAPPED[other.winner]) return one;
  const evidence = `it depends on the order: ${one.evidence} / ${other.evidence}`;
  return { ok: true, winner: "tie", evidence, dependsOnOrder: true };
}
