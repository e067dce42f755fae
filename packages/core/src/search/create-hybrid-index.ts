import type { SearchHit, SearchOptions, SkillDocument, SkillIndex } from "./create-skill-index.ts";

export interface RankedId {
  readonly id: string;
  readonly score: number;
}

export interface FuseOptions {
  /** How much each ranking counts; 1 unless told. */
  readonly weights?: readonly number[];
  /** The larger, the less the first places stand out. */
  readonly smoothing?: number;
}

const SMOOTHING = 60;

/**
 * One ranking of several by reciprocal rank: places are comparable where scores are not. Ids that
 * come out equal keep the order in which they are first named.
 */
export function fuseRanks(
  rankings: readonly (readonly string[])[],
  { weights = [], smoothing = SMOOTHING }: FuseOptions = {},
): RankedId[] {
  const scores = new Map<string, number>();
  for (const [i, ranking] of rankings.entries()) {
    const weight = weights[i] ?? 1;
    for (const [place, id] of [...new Set(ranking)].entries()) {
      scores.set(id, (scores.get(id) ?? 0) + weight / (smoothing + place + 1));
    }
  }
  return [...scores]
    .map(([id, score]): RankedId => ({ id, score }))
    .sort((first, second) => second.score - first.score);
}

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
  /** How much the embedder's ranking counts beside the words, which count 1. */
  readonly weight?: number;
  /** Told when the embedder fails; the search then rests on words. */
  readonly onError?: (error: unknown) => void;
}

export interface HybridIndex {
  search(query: string, options?: SearchOptions): Promise<SearchHit[]>;
}

const DEFAULT_LIMIT = 5;
/** So many of each ranking are fused. */
const DEPTH = 50;
const BATCH = 64;
const LONGEST_TEXT = 4000;

/** Words and meaning together. Documents are embedded at the first search, once. */
export function createHybridIndex(options: HybridIndexOptions): HybridIndex {
  const { index, embedder, weight = 1, onError } = options;
  const documents = [...options.documents];
  let embedded: Promise<Float32Array[]> | undefined;

  const rankByMeaning = async (query: string): Promise<string[]> => {
    try {
      embedded ??= embedAll(embedder, documents.map(textOf));
      const vectors = await embedded;
      const [target] = await embedAll(embedder, [query.slice(0, LONGEST_TEXT)]);
      return target === undefined ? [] : nearest(documents, vectors, target);
    } catch (error) {
      embedded = undefined;
      onError?.(error);
      return [];
    }
  };
  return {
    async search(query, { limit = DEFAULT_LIMIT } = {}) {
      if (query.trim() === "") return [];
      const hits = index.search(query, { limit: Math.max(DEPTH, limit) });
      const ranked = await rankByMeaning(query);
      if (ranked.length === 0) return hits.slice(0, Math.max(0, limit));
      const byId = new Map(documents.map((document) => [document.id, document]));
      const rankings = [hits.map(({ id }) => id), ranked];
      return fuseRanks(rankings, { weights: [1, weight] })
        .flatMap(({ id, score }): SearchHit[] => {
          const found = byId.get(id);
          if (found === undefined) return [];
          return [{ id, name: found.name, description: found.description, score }];
        })
        .slice(0, Math.max(0, limit));
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

function nearest(
  documents: readonly SkillDocument[],
  vectors: readonly Float32Array[],
  target: Float32Array,
): string[] {
  return documents
    .map(({ id }, i) => ({ id, likeness: product(vectors[i], target) }))
    .filter(({ likeness }) => likeness > 0)
    .sort((first, second) => second.likeness - first.likeness)
    .slice(0, DEPTH)
    .map(({ id }) => id);
}

function product(vector: Float32Array | undefined, target: Float32Array): number {
  if (vector?.length !== target.length) return 0;
  return vector.reduce((sum, value, i) => sum + value * (target[i] ?? 0), 0);
}
