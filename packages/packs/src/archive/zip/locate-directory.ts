import type { PackFailure } from "../../pack-failure.ts";
import { dataAfterEnd, invalidArchive, unclaimedData } from "../refuse.ts";

/** Where an archive's list of entries stands, and what the record at its end says of it. */
export interface DirectoryPlace {
  readonly ok: true;
  readonly start: number;
  readonly end: number;
  readonly entries: number;
}

const END_RECORD = Buffer.from("PK\x05\x06", "latin1");
const END_RECORD_SIZE = 22;
const MAX_COMMENT = 0xffff;
const LOCATOR = 0x07064b50;
const LOCATOR_SIZE = 20;
const WIDE_RECORD = 0x06064b50;
const WIDE_RECORD_SIZE = 56;
const SIZE_OF_WIDE_RECORD = 44n;

/** The end record, if the bytes end with something that could be one. */
export function findEndRecord(bytes: Buffer): number | undefined {
  if (bytes.length < END_RECORD_SIZE) return undefined;
  const first = Math.max(0, bytes.length - END_RECORD_SIZE - MAX_COMMENT);
  const found = bytes
    .subarray(first)
    .lastIndexOf(END_RECORD, bytes.length - END_RECORD_SIZE - first);
  return found === -1 ? undefined : first + found;
}

/**
 * The list must stand right before the end record and that at the very end, so that every reader
 * finds the same one. A comment is allowed (git puts the commit there).
 */
export function locateDirectory(bytes: Buffer): DirectoryPlace | PackFailure {
  const at = findEndRecord(bytes);
  if (at === undefined) return invalidArchive("has no end record; it may be cut off");
  if (bytes.readUInt16LE(at + 20) !== bytes.length - at - END_RECORD_SIZE) {
    return dataAfterEnd();
  }
  const narrow = {
    disks: [bytes.readUInt16LE(at + 4), bytes.readUInt16LE(at + 6)],
    entriesHere: bytes.readUInt16LE(at + 8),
    entries: bytes.readUInt16LE(at + 10),
    size: bytes.readUInt32LE(at + 12),
    start: bytes.readUInt32LE(at + 16),
  };
  if (narrow.entriesHere !== narrow.entries)
    return invalidArchive("counts its entries in two ways");
  const hasLocator = at >= LOCATOR_SIZE && bytes.readUInt32LE(at - LOCATOR_SIZE) === LOCATOR;
  if (!hasLocator) {
    if (narrow.disks.some((disk) => disk !== 0)) return invalidArchive("is one part of several");
    return place(narrow.start, narrow.size, at, narrow.entries);
  }
  const wide = readWideRecord(bytes, at - LOCATOR_SIZE);
  if (wide === undefined) return invalidArchive("has a zip64 end record that is damaged");
  const agrees =
    narrow.disks.every((disk) => disk === 0 || disk === 0xffff) &&
    [0xffff, wide.entries].includes(narrow.entries) &&
    [0xffff_ffff, wide.size].includes(narrow.size) &&
    [0xffff_ffff, wide.start].includes(narrow.start);
  if (!agrees) return invalidArchive("has two end records that say different things");
  return place(wide.start, wide.size, wide.at, wide.entries);
}

function place(
  start: number,
  size: number,
  end: number,
  entries: number,
): DirectoryPlace | PackFailure {
  if (start + size === end) return { ok: true, start, end, entries };
  if (start + size < end) {
    return unclaimedData();
  }
  return invalidArchive("has a list of entries that does not end where it should");
}

/** The record of zip64 must stand right before its locator and have nothing of its own. */
function readWideRecord(bytes: Buffer, locator: number) {
  const at = locator - WIDE_RECORD_SIZE;
  if (at < 0 || bytes.readUInt32LE(at) !== WIDE_RECORD) return undefined;
  const entries = bytes.readBigUInt64LE(at + 32);
  const size = bytes.readBigUInt64LE(at + 40);
  const start = bytes.readBigUInt64LE(at + 48);
  const length = BigInt(bytes.length);
  const isRight =
    bytes.readUInt32LE(locator + 4) === 0 &&
    bytes.readBigUInt64LE(locator + 8) === BigInt(at) &&
    bytes.readUInt32LE(locator + 16) <= 1 &&
    bytes.readBigUInt64LE(at + 4) === SIZE_OF_WIDE_RECORD &&
    bytes.readUInt32LE(at + 16) === 0 &&
    bytes.readUInt32LE(at + 20) === 0 &&
    bytes.readBigUInt64LE(at + 24) === entries &&
    [entries, size, start].every((value) => value <= length);
  if (!isRight) return undefined;
  return { at, entries: Number(entries), size: Number(size), start: Number(start) };
}
