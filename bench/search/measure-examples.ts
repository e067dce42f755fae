import { createSkillIndex } from "../../packages/core/src/search/create-skill-index.ts";
import type { SkillDocument } from "../../packages/core/src/search/document-features.ts";
import { marginOf, marginOfDocuments } from "../../packages/core/src/search/route-margin.ts";
import type { RoutingData, RoutingQuery } from "./routing-data.ts";

export interface ExampleQuality {
  readonly first: number;
  /** The share of requests for something else that find the skill first. */
  readonly negativesFirst: number;
  /** How many requests are routed, and how many of those rightly. */
  readonly coverage: number;
  readonly precision: number;
  readonly negativesRouted: number;
}

export type Given = "nothing" | "positives" | "both";

const ROUTE_FLOOR = 0.16;

/** Half of each skill's requests are its examples, the other half is asked; then the other way round. */
export function measureExamples(
  { catalog, queries }: RoutingData,
  given: Given,
  withBodies: boolean,
): ExampleQuality {
  const counts = { positives: 0, first: 0, negatives: 0, wrongFirst: 0 };
  const routes = { positives: 0, right: 0, negatives: 0 };
  for (const parity of [0, 1]) {
    const { examples, negatives, asked } = split(queries, parity);
    const documents = catalog.map(({ id, name, description, body }): SkillDocument => {
      const shown = given === "nothing" ? [] : (examples.get(id) ?? []);
      const against = given === "both" ? (negatives.get(id) ?? []) : [];
      const text = { id, name, description, examples: shown, negatives: against };
      return withBodies ? { ...text, body } : text;
    });
    const index = createSkillIndex(documents);
    const { margin: needed = Infinity } = marginOfDocuments(documents);
    for (const { query, skill, shouldTrigger } of asked) {
      const hits = index.search(query, { limit: 2 });
      const [first] = hits;
      const isRight = first?.id === skill;
      const isRouted =
        first !== undefined &&
        first.score >= ROUTE_FLOOR &&
        marginOf(hits) >= needed &&
        (examples.get(first.id) ?? []).length > 0;
      if (shouldTrigger) {
        counts.positives++;
        if (isRight) counts.first++;
        if (isRouted) routes.positives++;
        if (isRouted && isRight) routes.right++;
      } else {
        counts.negatives++;
        if (isRight) counts.wrongFirst++;
        if (isRouted) routes.negatives++;
      }
    }
  }
  return {
    first: counts.first / counts.positives,
    negativesFirst: counts.wrongFirst / Math.max(1, counts.negatives),
    coverage: routes.positives / counts.positives,
    precision: routes.right / Math.max(1, routes.positives),
    negativesRouted: routes.negatives / Math.max(1, counts.negatives),
  };
}

function split(queries: readonly RoutingQuery[], parity: number) {
  const examples = new Map<string, string[]>();
  const negatives = new Map<string, string[]>();
  const asked: RoutingQuery[] = [];
  const counts = new Map<string, number>();
  for (const one of queries) {
    const key = `${one.skill} ${one.shouldTrigger}`;
    const number = counts.get(key) ?? 0;
    counts.set(key, number + 1);
    const list = one.shouldTrigger ? examples : negatives;
    if (number % 2 === parity) list.set(one.skill, [...(list.get(one.skill) ?? []), one.query]);
    else if (!(one.shouldTrigger && one.mentionsSkillName)) asked.push(one);
  }
  return { examples, negatives, asked };
}
