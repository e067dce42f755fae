import { Lexicon } from "./lexicon.ts";
import type { SkillDocument } from "./document-features.ts";
import {
  buildSegment,
  matchedWords,
  mergeSegments,
  type SearchHit,
  searchSegment,
  type Segment,
} from "./segment.ts";

export interface SearchOptions {
  /** 5 unless told. */
  readonly limit?: number;
}

export interface SkillIndex {
  readonly size: number;
  /** Best first, equal ones in the order of their ids. Never throws; an empty query finds nothing. */
  search(query: string, options?: SearchOptions): SearchHit[];
  /** The words of the query that a document has, those that count most first. */
  matches(query: string, id: string): string[];
  /** In place of the document with the same id. */
  add(document: SkillDocument): void;
  remove(id: string): void;
}

const DEFAULT_LIMIT = 5;
/** So that an index can be saved without exposing its parts. */
const segmentsOf = new WeakMap<SkillIndex, () => Segment>();

/**
 * Searches names, descriptions and the beginnings of bodies. Of documents with the same id the last
 * counts. Whoever must not find a skill needs an index without it: hits are not filtered.
 */
export function createSkillIndex(documents: Iterable<SkillDocument>): SkillIndex {
  const unique = new Map<string, SkillDocument>();
  for (const document of documents) unique.set(document.id, document);
  return indexOfSegment(buildSegment([...unique.values()]));
}

/** Changes are collected and applied together by the next call that needs them. */
export function indexOfSegment(first: Segment): SkillIndex {
  const lexicon = new Lexicon();
  const added = new Map<string, SkillDocument>();
  const replaced = new Set<string>();
  let segment = first;
  const current = () => {
    if (replaced.size > 0) {
      segment = mergeSegments(segment, replaced, buildSegment([...added.values()]));
      added.clear();
      replaced.clear();
    }
    return segment;
  };
  const index: SkillIndex = {
    get size() {
      return current().postings.documentCount;
    },
    search: (query, { limit = DEFAULT_LIMIT } = {}) =>
      searchSegment(query, Math.floor(limit), current(), lexicon),
    matches: (query, id) => matchedWords(query, id, current(), lexicon),
    add(document) {
      replaced.add(document.id);
      added.set(document.id, document);
    },
    remove(id) {
      replaced.add(id);
      added.delete(id);
    },
  };
  segmentsOf.set(index, current);
  return index;
}

/** All of an index in one segment. */
export function segmentOf(index: SkillIndex): Segment {
  const read = segmentsOf.get(index);
  if (read === undefined) {
    throw new TypeError("Only an index made by createSkillIndex can be saved");
  }
  return read();
}
