import { mcnemarTest } from "../statistics/mcnemar-test.ts";
import type { VerdictFacts } from "./decide-verdict.ts";

/** Below it, even a perfect score leaves room for one failure in ten. */
const FEW_CASES = 35;
const SIGNIFICANT = 0.05;

/** What a reader has to know beside the numbers: how few they are, and what is in none of them. */
export function verdictNotes({ arms: [own], paired, cases, setup }: VerdictFacts): string[] {
  if (own === undefined || own.trials === 0) return [];
  const notes: string[] = [];
  const { n, low } = own.passed;
  if (n > 0 && n < FEW_CASES) {
    const least = Math.round(low * 100);
    notes.push(
      `Only ${n} ${n === 1 ? "case was" : "cases were"} judged: of all such requests as few as ${least} % may pass.`,
    );
  }
  const mock = cases.filter(({ isMock }) => isMock).length;
  if (mock > 0)
    notes.push(`${mock} of ${cases.length} cases have fixed actions and test the harness only.`);
  if (own.errors > 0)
    notes.push(`${own.errors} of ${own.trials} trials ended in an error; they are in no rate.`);
  if (own.unjudged > 0)
    notes.push(`${own.unjudged} of ${own.trials} trials could not be judged; they are in no rate.`);
  for (const { second, difference } of paired) {
    if (mcnemarTest(difference.n, 0).p <= SIGNIFICANT || setup.isDeterministic) continue;
    notes.push(
      `${difference.n} pairs are too few to show any difference to ${second}: 6 that all go one way are the least.`,
    );
  }
  const judgedOnce = setup.trials <= 1 && !setup.isDeterministic;
  if (judgedOnce) notes.push("Each case was tried once: how steady the model is cannot be told.");
  return notes;
}
