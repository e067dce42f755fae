import { createFeatureReader } from "./document-features.ts";
import { PostingsBuilder } from "./postings-builder.ts";
import type { Postings } from "./postings.ts";
import type { SkillDocument } from "./skill-document.ts";

export interface IndexedDocument {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** Some documents of an index. What is indexed never changes; documents can only be taken out. */
export interface Segment {
  readonly postings: Postings;
  readonly documentAt: (number: number) => IndexedDocument;
  /** By number: 1 for those taken out. */
  readonly removed: Uint8Array;
  removedCount: number;
}

/** Of documents with different ids. */
export function buildSegment(documents: readonly SkillDocument[]): Segment {
  const builder = new PostingsBuilder();
  const read = createFeatureReader(builder);
  const sorted = documents.toSorted((first, second) => compareIds(first.id, second.id));
  const kept = sorted.map((document): IndexedDocument => {
    read(document);
    builder.endDocument();
    const { id, name, description } = document;
    return { id, name, description };
  });
  return segmentOf(builder.build(), kept);
}

/** One segment with what is left in several. */
export function mergeSegments(segments: readonly Segment[]): Segment {
  const left = segments.flatMap((segment) => remaining(segment).map((document) => document.id));
  const ids = new Map(left.sort(compareIds).map((id, number) => [id, number]));
  const documents: IndexedDocument[] = [];
  const builder = new PostingsBuilder();
  for (const segment of segments) {
    const { postings, documentAt, removed } = segment;
    const numbers = new Int32Array(postings.documentCount).fill(-1);
    for (let i = 0; i < numbers.length; i++) {
      if (removed[i] === 1) continue;
      const document = documentAt(i);
      const number = ids.get(document.id) ?? -1;
      numbers[i] = number;
      documents[number] = document;
    }
    copyPostings(postings, numbers, builder);
  }
  return segmentOf(builder.build(ids.size), documents);
}

export function remaining({ postings, documentAt, removed }: Segment): IndexedDocument[] {
  const documents: IndexedDocument[] = [];
  for (let i = 0; i < postings.documentCount; i++) {
    if (removed[i] !== 1) documents.push(documentAt(i));
  }
  return documents;
}

/** By code units, which no locale changes. */
export function compareIds(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}

function segmentOf(postings: Postings, documents: readonly IndexedDocument[]): Segment {
  return {
    postings,
    documentAt: (number) => documents[number] ?? { id: "", name: "", description: "" },
    removed: new Uint8Array(postings.documentCount),
    removedCount: 0,
  };
}

function copyPostings(postings: Postings, numbers: Int32Array, builder: PostingsBuilder): void {
  const { hashes, starts, documents, impacts, neighbours, words } = postings;
  for (let feature = 0; feature < hashes.length; feature++) {
    const end = starts[feature + 1] ?? 0;
    for (let i = starts[feature] ?? 0; i < end; i++) {
      const number = numbers[documents[i] ?? 0] ?? -1;
      if (number >= 0) builder.impactOf(number, hashes[feature] ?? 0, impacts[i] ?? 0);
    }
  }
  for (const [i, hash] of neighbours.entries()) builder.neighbour(hash, words[i] ?? 0);
}
