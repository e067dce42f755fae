import type { SearchOptions, SkillIndex } from "./create-skill-index.ts";
import type { SkillDocument } from "./document-features.ts";
import type { SearchHit } from "./segment.ts";

type Vector = readonly number[] | Float32Array;

/** A model that turns texts into vectors, given by the host; none is bundled or downloaded. */
export interface Embedder {
  /** One vector for each text, in order and all of the same length. */
  embed(texts: readonly string[]): Promise<readonly Vector[]>;
}

export interface HybridIndexOptions {
  /** Finds by words; holds the same documents. */
  readonly index: SkillIndex;
  readonly documents: Iterable<SkillDocument>;
  readonly embedder: Embedder;
  /** The embedder's share of a score, from 0 to 1; words have the rest. Default: 0.2. */
  readonly weight?: number;
  /** Called when the embedder fails; the search then rests on words. */
  readonly onError?: (error: unknown) => void;
}

export interface HybridIndex {
  search(query: string, options?: SearchOptions): Promise<SearchHit[]>;
}

const DEFAULT_LIMIT = 5;
const DEFAULT_WEIGHT = 0.2;
/** So many hits of the words are scored again by meaning. */
const DEPTH = 50;
const BATCH = 64;
const LONGEST_TEXT = 4000;

/**
 * Words and meaning together: a score is the share of the best hit by words, blended with the cosine
 * likeness to the query. Nobody has measured the host's embedder, so that it cannot overrule the words
 * by default. Documents are embedded at the first search, once.
 */
export function createHybridIndex(options: HybridIndexOptions): HybridIndex {
  const { index, embedder, weight = DEFAULT_WEIGHT, onError } = options;
  const documents = [...options.documents];
  let embedded: Promise<Float32Array[]> | undefined;

  /** By id; undefined when the embedder fails. */
  const likenessTo = async (query: string): Promise<Map<string, number> | undefined> => {
    try {
      embedded ??= embedAll(embedder, documents.map(textOf));
      const vectors = await embedded;
      const [target = new Float32Array()] = await embedAll(embedder, [
        query.slice(0, LONGEST_TEXT),
      ]);
      return new Map(documents.map(({ id }, i) => [id, product(vectors[i], target)]));
    } catch (error) {
      embedded = undefined;
      onError?.(error);
      return undefined;
    }
  };
  return {
    async search(query, { limit = DEFAULT_LIMIT } = {}) {
      if (query.trim() === "") return [];
      const count = Math.max(0, limit);
      const hits = index.search(query, { limit: Math.max(DEPTH, count) });
      const likeness = await likenessTo(query);
      if (likeness === undefined) return hits.slice(0, count);
      const best = hits[0]?.score ?? 1;
      const words = new Map(hits.map(({ id, score }) => [id, score / best]));
      return documents
        .map(({ id, name, description }): SearchHit => {
          const score = (1 - weight) * (words.get(id) ?? 0) + weight * (likeness.get(id) ?? 0);
          return { id, name, description, score };
        })
        .filter(({ score }) => score > 0)
        .sort((first, second) => second.score - first.score)
        .slice(0, count);
    },
  };
}

function textOf({ name, description }: SkillDocument): string {
  return `${name}\n${description}`.slice(0, LONGEST_TEXT);
}

async function embedAll(embedder: Embedder, texts: readonly string[]): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let i = 0; i < texts.length; i += BATCH) {
    const batch = texts.slice(i, i + BATCH);
    const made = await embedder.embed(batch);
    if (made.length !== batch.length) throw new TypeError("The embedder gave too few vectors");
    vectors.push(...made.map(normalized));
  }
  return vectors;
}

function normalized(vector: Vector): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length)) throw new TypeError("The embedder gave a vector without a length");
  return Float32Array.from(vector, (value) => (length === 0 ? 0 : value / length));
}

/** Cosine likeness; what points elsewhere counts as unlike. */
function product(vector: Float32Array | undefined, target: Float32Array): number {
  if (vector?.length !== target.length) return 0;
  return Math.max(
    0,
    vector.reduce((sum, value, i) => sum + value * (target[i] ?? 0), 0),
  );
}
