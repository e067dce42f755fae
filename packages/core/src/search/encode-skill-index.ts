import { indexOfSegment, type SkillIndex, segmentOf } from "./create-skill-index.ts";
import { documentNumbers, type Postings } from "./postings.ts";
import { documentsOf, type IndexedDocument } from "./segment.ts";
import { zlib } from "../internal/files.ts";

/** Changes whenever the layout, the features or their hashes do. In the byte order of the machine. */
const FORMAT = 0x53_57_49_02;
const HEADER = ["format", "checksum", "documents", "features", "postings", "neighbours", "text"];
const HEADER_BYTES = HEADER.length * 4;
const CHECKED_FROM = 8;

/** Columns as they lie in memory, each from a multiple of four, after a header with their lengths. */
export function encodeSkillIndex(index: SkillIndex): Uint8Array {
  const segment = segmentOf(index);
  const { postings } = segment;
  const { hashes, starts, documents, impacts, neighbours, words } = postings;
  const { text, textStarts } = encodeDocuments(documentsOf(segment));
  const lengths = [hashes.length, documents.length, neighbours.length, text.length];
  const header = Uint32Array.of(FORMAT, 0, postings.documentCount, ...lengths);
  const columns = [header, hashes, starts, neighbours, words, textStarts, documents, impacts, text];
  const parts = columns.map(({ buffer, byteOffset, byteLength }) => {
    return new Uint8Array(buffer, byteOffset, byteLength);
  });
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + padded(part.length), 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += padded(part.length);
  }
  new Uint32Array(bytes.buffer, 0, 2)[1] = zlib().crc32(bytes.subarray(CHECKED_FROM));
  return bytes;
}

/** Undefined for what is damaged or of another version. Nothing is copied if the bytes are aligned. */
export function decodeSkillIndex(bytes: Uint8Array): SkillIndex | undefined {
  if (bytes.length < HEADER_BYTES || bytes.length % 4 !== 0) return undefined;
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  const header = new Uint32Array(aligned.buffer, aligned.byteOffset, HEADER.length);
  const [format, checksum] = header;
  if (format !== FORMAT || checksum !== zlib().crc32(aligned.subarray(CHECKED_FROM)))
    return undefined;
  const columns = readColumns(aligned, header);
  if (columns === undefined) return undefined;
  const { postings, text, textStarts } = columns;
  return indexOfSegment({
    postings,
    documentAt: lazyDocuments(text, textStarts),
  });
}

function readColumns(bytes: Uint8Array, header: Uint32Array) {
  const [, , count = 0, features = 0, length = 0, neighbourCount = 0, textLength = 0] = header;
  const width = documentNumbers(count, 0).BYTES_PER_ELEMENT;
  const fixed = HEADER_BYTES + 4 * (2 * features + 1 + 2 * neighbourCount + count + 1);
  const size = fixed + padded(length * width) + padded(length) + padded(textLength);
  if (size !== bytes.length) return undefined;
  let at = bytes.byteOffset + HEADER_BYTES;
  const take = (byteLength: number) => (at += padded(byteLength)) - padded(byteLength);
  const numbers = (wanted: number) => new Uint32Array(bytes.buffer, take(wanted * 4), wanted);
  const hashes = numbers(features);
  const starts = numbers(features + 1);
  const neighbours = numbers(neighbourCount);
  const words = numbers(neighbourCount);
  const textStarts = numbers(count + 1);
  const documents =
    width === 4 ? numbers(length) : new Uint16Array(bytes.buffer, take(length * width), length);
  const impacts = new Uint8Array(bytes.buffer, take(length), length);
  const text = new Uint8Array(bytes.buffer, take(textLength), textLength);
  if (!isAscending(starts, length) || !isAscending(textStarts, textLength)) return undefined;
  const postings: Postings = {
    documentCount: count,
    hashes,
    starts,
    documents,
    impacts,
    neighbours,
    words,
  };
  return { postings, text, textStarts };
}

/** A file made to harm has a right checksum too; it must not send a search through endless ranges. */
function isAscending(starts: Uint32Array, end: number): boolean {
  let last = 0;
  for (const start of starts) {
    if (start < last) return false;
    last = start;
  }
  return starts[0] === 0 && last === end;
}

function encodeDocuments(documents: readonly IndexedDocument[]) {
  const texts = documents.map(({ id, name, description }) => {
    // JSON escapes what UTF-8 cannot hold.
    return Buffer.from(JSON.stringify([id, name, description]));
  });
  const textStarts = new Uint32Array(texts.length + 1);
  for (const [i, { length }] of texts.entries()) textStarts[i + 1] = (textStarts[i] ?? 0) + length;
  return { text: Buffer.concat(texts), textStarts };
}

/** Text becomes documents only as they are found. */
function lazyDocuments(text: Uint8Array, starts: Uint32Array): (number: number) => IndexedDocument {
  const buffer = Buffer.from(text.buffer, text.byteOffset, text.length);
  const known = new Map<number, IndexedDocument>();
  return (number) => {
    const found = known.get(number);
    if (found !== undefined) return found;
    const document = parseDocument(buffer.toString("utf8", starts[number], starts[number + 1]));
    known.set(number, document);
    return document;
  };
}

function parseDocument(json: string): IndexedDocument {
  const [id = "", name = "", description = ""] = parseTexts(json);
  return { id, name, description };
}

function parseTexts(json: string): string[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value.map(String) : [];
  } catch {
    return [];
  }
}

function padded(length: number): number {
  return Math.ceil(length / 4) * 4;
}
