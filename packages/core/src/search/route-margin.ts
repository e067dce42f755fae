import {
  createSkillIndex,
  indexOfSegment,
  segmentOf,
  type SkillIndex,
} from "./create-skill-index.ts";
import type { SkillDocument } from "./document-features.ts";
import type { SearchHit } from "./segment.ts";

/** What a catalog's own examples say about how far the first hit has to be ahead. */
export interface RouteMargin {
  /** The least margin at which a route is right often enough; undefined: no margin is. */
  readonly margin?: number;
  /** Held-out examples it was estimated from, and how many of them it routes. */
  readonly examples: number;
  readonly routed: number;
}

/** A little more than the 97 % that is wanted, since the margin is chosen on the same examples. */
const PRECISION = 0.975;
/** Fewer routed examples say too little about a share of 3 %. */
const LEAST_ROUTED = 20;
const MAX_SAMPLED = 300;
const QUERIES_PER_SKILL = 4;

/** First over second score, relative: 0 for a tie, 1 for the only hit. */
export function marginOf([first, second]: readonly SearchHit[]): number {
  return first === undefined ? 0 : 1 - (second?.score ?? 0) / first.score;
}

/**
 * Holds every other example of the sampled skills out of a copy of the index, asks for them, and takes
 * the least margin above which the first hit was the right one in 97 of 100 cases.
 */
export function estimateMargin(
  index: SkillIndex,
  sampled: readonly SkillDocument[],
  hasExamples: (id: string) => boolean,
): RouteMargin {
  const asked: { margin: number; isRight: boolean }[] = [];
  for (const parity of [0, 1]) {
    const held = indexOfSegment(segmentOf(index));
    const isHeld = (_: string, i: number) => i % 2 === parity;
    for (const document of sampled) {
      const examples = document.examples?.filter((one, i) => !isHeld(one, i)) ?? [];
      held.add({ ...document, examples });
    }
    for (const { id, examples = [] } of sampled) {
      for (const query of examples.filter(isHeld).slice(0, QUERIES_PER_SKILL)) {
        const hits = held.search(query, { limit: 2 });
        const [first] = hits;
        const margin = first !== undefined && hasExamples(first.id) ? marginOf(hits) : 0;
        asked.push({ margin, isRight: first?.id === id });
      }
    }
  }
  asked.sort((a, b) => b.margin - a.margin);
  let right = 0;
  let best: RouteMargin = { examples: asked.length, routed: 0 };
  for (const [i, { margin, isRight }] of asked.entries()) {
    if (isRight) right++;
    const isLast = asked[i + 1]?.margin !== margin;
    if (margin <= 0 || !isLast || i + 1 < LEAST_ROUTED) continue;
    if (right / (i + 1) >= PRECISION) best = { margin, examples: asked.length, routed: i + 1 };
  }
  return best;
}

/** An index of nothing but these documents, and their margin. */
export function marginOfDocuments(documents: readonly SkillDocument[]): RouteMargin {
  const withExamples = documents.filter(({ examples = [] }) => examples.length > 1);
  const ids = new Set(documents.flatMap(({ id, examples = [] }) => (examples.length ? [id] : [])));
  return estimateMargin(createSkillIndex(documents), sample(withExamples), (id) => ids.has(id));
}

/** Evenly spread, the same each time. */
export function sample<Item>(items: readonly Item[]): Item[] {
  if (items.length <= MAX_SAMPLED) return [...items];
  return Array.from({ length: MAX_SAMPLED }, (_, i) => {
    return items[Math.floor((i * items.length) / MAX_SAMPLED)] as Item;
  });
}
