import { createSkillIndex } from "@skillwright/core";
import { fillArguments } from "./fill-arguments.ts";
import type { RequestFacts } from "./read-request.ts";
import type { Usage } from "./usage.ts";

export interface ScriptCallChoice {
  readonly script: string;
  readonly args: readonly string[];
  /** What the request does not say; the call must not be made without it. */
  readonly missing: readonly string[];
}

/** Nothing is lost by a call that fits almost as well and has all it needs. */
const CLOSE = 0.6;

/** Of the documented calls the one whose words fit the request best and that can be filled. */
export function chooseCall(
  usages: readonly Usage[],
  facts: RequestFacts,
): ScriptCallChoice | undefined {
  const index = createSkillIndex(
    usages.map(({ words, script }, i) => ({
      id: `${i}`,
      name: nameOf(script),
      description: words,
    })),
  );
  const scores = new Map(
    index.search(facts.text, { limit: usages.length }).map(({ id, score }) => [id, score]),
  );
  const calls = usages.map(({ script, parts }, i) => ({
    script,
    ...fillArguments(parts, facts),
    score: scores.get(`${i}`) ?? 0,
  }));
  const best = Math.max(0, ...calls.map(({ score }) => score));
  const close = calls.filter(({ score }) => score >= best * CLOSE);
  const ready = close.filter(({ missing }) => missing.length === 0);
  // With all it needs first; then what uses most of the request; then what fits its words.
  const [chosen] = (ready.length > 0 ? ready : close).toSorted(
    (a, b) => a.missing.length - b.missing.length || b.used - a.used || b.score - a.score,
  );
  return chosen;
}

/** `scripts/merge_pages.py` says what it does. */
function nameOf(script: string): string {
  const file = script.slice(script.lastIndexOf("/") + 1);
  return file.replace(/\.[^.]*$/, "").replaceAll(/[-_]+/g, " ");
}
