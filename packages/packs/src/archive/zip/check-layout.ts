import { parseExtraFields } from "yauzl";
import type { PackFailure } from "../../pack-failure.ts";
import { invalidEntry, refuseEntry } from "../entries/entry-gate.ts";
import { unclaimedData } from "../refuse.ts";
import { localHeaderProblem } from "./local-header-problem.ts";
import type { DirectoryPlace } from "./locate-directory.ts";
import { HAS_DESCRIPTOR, type ZipEntry } from "./zip-entry.ts";

/** An entry and its bytes in the archive. */
export interface PlacedEntry {
  readonly ok: true;
  readonly entry: ZipEntry;
  readonly data: Buffer;
}

const LOCAL_HEADER = 0x04034b50;
const LOCAL_HEADER_SIZE = 30;
const DESCRIPTOR = 0x08074b50;

/**
 * Finds each entry's data. From the first byte to the list of entries the archive must be entry
 * after entry: nothing before, between or shared, and each with a header that says the same as
 * the list. Then whoever reads it from the front sees what we see.
 */
export function checkLayout(
  bytes: Buffer,
  place: DirectoryPlace,
  entries: readonly ZipEntry[],
): { readonly ok: true; readonly placed: readonly PlacedEntry[] } | PackFailure {
  const sorted = entries.toSorted((a, b) => offsetOf(a) - offsetOf(b));
  const placed: PlacedEntry[] = [];
  let end = 0;
  for (const [i, entry] of sorted.entries()) {
    const start = offsetOf(entry);
    if (start > end) return unclaimedData();
    if (start < end) return invalidEntry(entry.name, "overlaps another one");
    const next = sorted[i + 1];
    end = next === undefined ? place.start : offsetOf(next);
    const found = placeEntry(
      bytes.subarray(start, Math.max(start, Math.min(end, place.start))),
      entry,
    );
    if (!found.ok) return found;
    placed.push(found);
  }
  return end === place.start ? { ok: true, placed } : unclaimedData();
}

/** `bytes`: from its header to where the next one starts. */
function placeEntry(bytes: Buffer, entry: ZipEntry): PlacedEntry | PackFailure {
  const { listed, name } = entry;
  if (bytes.length < LOCAL_HEADER_SIZE || bytes.readUInt32LE(0) !== LOCAL_HEADER) {
    return invalidEntry(name, "has no header where the list says, or shares it with another");
  }
  const nameEnd = LOCAL_HEADER_SIZE + bytes.readUInt16LE(26);
  const dataStart = nameEnd + bytes.readUInt16LE(28);
  const dataEnd = dataStart + listed.compressedSize;
  if (dataEnd > bytes.length) return invalidEntry(name, "reaches into the next one, or is cut off");
  const extra = readExtra(bytes.subarray(nameEnd, dataStart));
  if (extra === undefined) return invalidEntry(name, "has damaged fields in its header");
  const ownName = bytes.subarray(LOCAL_HEADER_SIZE, nameEnd);
  const problem = localHeaderProblem(bytes, ownName, extra, listed);
  if (problem !== undefined) return invalidEntry(name, problem);
  const rest = bytes.subarray(dataEnd);
  const hasDescriptor = (listed.generalPurposeBitFlag & HAS_DESCRIPTOR) !== 0;
  if (hasDescriptor && !isDescriptor(rest, entry)) {
    return invalidEntry(name, "has other sizes or another checksum behind it");
  }
  if (!hasDescriptor && rest.length > 0) {
    return refuseEntry(name, "is followed by data that belongs to no entry");
  }
  return { ok: true, entry, data: bytes.subarray(dataStart, dataEnd) };
}

/** Checksum and sizes behind the data: with or without a mark, in 4 or 8 bytes each. */
function isDescriptor(bytes: Buffer, { listed }: ZipEntry): boolean {
  const isMarked = bytes.length === 16 || bytes.length === 24;
  if (!isMarked && bytes.length !== 12 && bytes.length !== 20) return false;
  if (isMarked && bytes.readUInt32LE(0) !== DESCRIPTOR) return false;
  const values = bytes.subarray(isMarked ? 4 : 0);
  const [packed, unpacked] =
    values.length === 12
      ? [values.readUInt32LE(4), values.readUInt32LE(8)]
      : [Number(values.readBigUInt64LE(4)), Number(values.readBigUInt64LE(12))];
  return (
    values.readUInt32LE(0) === listed.crc32 &&
    packed === listed.compressedSize &&
    unpacked === listed.uncompressedSize
  );
}

function readExtra(bytes: Buffer) {
  try {
    return parseExtraFields(bytes);
  } catch {
    return undefined;
  }
}

function offsetOf({ listed }: ZipEntry): number {
  return listed.relativeOffsetOfLocalHeader;
}
