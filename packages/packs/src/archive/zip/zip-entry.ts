import { isAscii, isUtf8 } from "node:buffer";
import { crc32 } from "node:zlib";
import type { Entry } from "yauzl";
import type { PackFailure } from "../../pack-failure.ts";
import { invalidEntry, refuseEntry } from "../entries/entry-gate.ts";

export interface ZipEntry {
  readonly ok: true;
  readonly name: string;
  readonly isFolder: boolean;
  readonly isExecutable: boolean;
  readonly isDeflated: boolean;
  readonly size: number;
  readonly listed: Entry;
}

const ENCRYPTED = 0x2041;
/** Compression options, a descriptor behind the data, a name in UTF-8. */
const KNOWN_FLAGS = 0x080e;
export const HAS_DESCRIPTOR = 0x0008;
const NAME_IS_UTF8 = 0x0800;
const STORED = 0;
const DEFLATED = 8;
export const WIDE_SIZES = 0x0001;
export const UNICODE_NAME = 0x7075;

/** What an entry is by the archive's list, if it is a plain file or folder that can be read. */
export function toZipEntry(listed: Entry): ZipEntry | PackFailure {
  const name = decodeName(listed);
  if (typeof name !== "string") {
    const shown = listed.fileNameRaw.toString("latin1");
    if (name === false) return refuseEntry(shown, "has two names");
    return invalidEntry(shown, "has a name in an unknown encoding");
  }
  const { generalPurposeBitFlag: flags, compressionMethod: method } = listed;
  if ((flags & ENCRYPTED) !== 0) return invalidEntry(name, "is encrypted");
  if ((flags & ~KNOWN_FLAGS) !== 0) return invalidEntry(name, "needs what only some readers know");
  if (method !== STORED && method !== DEFLATED) {
    return invalidEntry(name, `is compressed by an unknown method (${method})`);
  }
  if (listed.extraFields.filter(({ id }) => id === WIDE_SIZES).length > 1) {
    return invalidEntry(name, "gives its sizes twice");
  }
  const isFolder = name.endsWith("/");
  const mode = listed.externalFileAttributes >>> 16;
  const kind = KINDS[mode >>> 12];
  if (kind === undefined) return refuseEntry(name, "is of an unknown kind");
  if (kind !== "file" && kind !== "folder" && kind !== "any") return refuseEntry(name, kind);
  if (kind === "folder" && !isFolder) return invalidEntry(name, "is a folder named like a file");
  const size = listed.uncompressedSize;
  if (isFolder && size !== 0) return invalidEntry(name, "is a folder that has content");
  const isExecutable = (mode & 0o100) !== 0;
  return { ok: true, name, isFolder, isExecutable, isDeflated: method === DEFLATED, size, listed };
}

/** By the upper bits of a Unix mode, which are 0 where the writer knew of none. */
const KINDS: Readonly<Record<number, string>> = {
  0: "any",
  1: "is a FIFO",
  2: "is a device",
  4: "folder",
  6: "is a device",
  8: "file",
  10: "is a symbolic link",
  12: "is a socket",
};

/**
 * Undefined for bytes that readers would decode in different ways; false when a second name, which
 * only some readers know of, differs.
 */
function decodeName(listed: Entry): string | false | undefined {
  const { fileNameRaw: raw, extraFields, generalPurposeBitFlag: flags } = listed;
  const plain = isUtf8(raw) ? raw.toString() : undefined;
  const second = extraFields.filter(({ id }) => id === UNICODE_NAME);
  if (second.length === 0) return plain;
  const data = second[0]?.data;
  const isRight =
    second.length === 1 &&
    data?.[0] === 1 &&
    data.length > 5 &&
    data.readUInt32LE(1) === crc32(raw);
  const name = isRight ? data.subarray(5) : undefined;
  if (name === undefined || !isUtf8(name)) return false;
  const isOnlyName = !isAscii(raw) && (flags & NAME_IS_UTF8) === 0;
  return isOnlyName || name.equals(raw) ? name.toString() : false;
}
