import { Lexicon } from "./lexicon.ts";
import type { Segment } from "./postings.ts";
import { buildSegment, mergeSegments, searchSegments } from "./segment.ts";

/** What is indexed of one skill. Without a body the index rests on name and description. */
export interface SkillDocument {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly body?: string;
}

export interface SearchHit {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Comparable within one answer only. */
  readonly score: number;
}

export interface SearchOptions {
  /** 5 unless told. */
  readonly limit?: number;
}

export interface SkillIndex {
  readonly size: number;
  /** Best first, equal ones in the order of their ids. Never throws; an empty query finds nothing. */
  search(query: string, options?: SearchOptions): SearchHit[];
  /** In place of the document with the same id. */
  add(document: SkillDocument): void;
  remove(id: string): void;
}

interface Place {
  readonly segment: Segment;
  readonly number: number;
}

const DEFAULT_LIMIT = 5;
/** So that an index can be saved without saying to everyone how it is made. */
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

export function indexOfSegment(first: Segment): SkillIndex {
  const lexicon = new Lexicon();
  let segments = [first];
  let places: Map<string, Place> | undefined;
  const placeAll = () => (places ??= placesIn(segments));

  const replace = (old: readonly Segment[], merged: Segment) => {
    segments = [...segments.filter((segment) => !old.includes(segment)), merged];
    if (places !== undefined) addPlaces(merged, places);
  };
  const remove = (id: string) => {
    const place = placeAll().get(id);
    if (place === undefined) return;
    placeAll().delete(id);
    const { segment, number } = place;
    segment.removed[number] = 1;
    segment.removedCount++;
    if (sizeOf(segment) === 0) segments = segments.filter((other) => other !== segment);
    else if (sizeOf(segment) < segment.removedCount) replace([segment], mergeSegments([segment]));
  };
  const index: SkillIndex = {
    get size() {
      return segments.reduce((sum, segment) => sum + sizeOf(segment), 0);
    },
    search: (query, { limit = DEFAULT_LIMIT } = {}) =>
      searchSegments(query, Math.floor(limit), segments, lexicon),
    add(document) {
      remove(document.id);
      const segment = buildSegment([document]);
      segments = [...segments, segment];
      placeAll().set(document.id, { segment, number: 0 });
      const small = smallSegments(segments);
      if (small.length > 1) replace(small, mergeSegments(small));
    },
    remove,
  };
  segmentsOf.set(index, () => {
    const [only] = segments;
    if (only !== undefined && segments.length === 1 && only.removedCount === 0) return only;
    const merged = mergeSegments(segments);
    replace(segments, merged);
    return merged;
  });
  return index;
}

/** All of an index in one segment. */
export function wholeSegment(index: SkillIndex): Segment {
  const read = segmentsOf.get(index);
  if (read === undefined)
    throw new TypeError("Only an index made by createSkillIndex can be saved");
  return read();
}

/** Those at the end that belong into one: so each is less than half of the one before, and they stay few. */
function smallSegments(segments: readonly Segment[]): readonly Segment[] {
  let from = segments.length - 1;
  let size = 0;
  for (; from >= 0; from--) {
    const segment = segments[from];
    if (segment === undefined || (size > 0 && size * 2 <= sizeOf(segment))) break;
    size += sizeOf(segment);
  }
  return segments.slice(from + 1);
}

function placesIn(segments: readonly Segment[]): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const segment of segments) addPlaces(segment, places);
  return places;
}

function addPlaces(segment: Segment, places: Map<string, Place>): void {
  for (let number = 0; number < segment.removed.length; number++) {
    if (segment.removed[number] === 1) continue;
    places.set(segment.documentAt(number).id, { segment, number });
  }
}

function sizeOf({ removed, removedCount }: Segment): number {
  return removed.length - removedCount;
}
