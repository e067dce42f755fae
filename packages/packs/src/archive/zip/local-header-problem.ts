import type { Entry, ExtraField } from "yauzl";
import { HAS_DESCRIPTOR, UNICODE_NAME, WIDE_SIZES } from "./zip-entry.ts";

/** Encryption, a descriptor, a name in UTF-8: what changes how an entry is read. */
const FLAGS_THAT_MATTER = 0x2849;
const IN_EXTRA = 0xffff_ffff;

/** How an entry's own header differs from what the list says of it. */
export function localHeaderProblem(
  header: Buffer,
  name: Buffer,
  extra: readonly ExtraField[],
  listed: Entry,
): string | undefined {
  const flags = header.readUInt16LE(6);
  if (!name.equals(listed.fileNameRaw)) return "has another name in its own header";
  if (!isSameName(extra, listed.extraFields)) return "has another name in its own header";
  if (((flags ^ listed.generalPurposeBitFlag) & FLAGS_THAT_MATTER) !== 0) {
    return "has other flags in its own header";
  }
  if (header.readUInt16LE(8) !== listed.compressionMethod) {
    return "has another compression method in its own header";
  }
  const sizes = readSizes(header, extra);
  if (sizes === undefined) return "has damaged sizes in its own header";
  // With a descriptor behind the data the writer knew none of these yet.
  const mayBeUnknown = (flags & HAS_DESCRIPTOR) !== 0;
  const agrees = (value: number, other: number) => value === other || (mayBeUnknown && value === 0);
  if (!agrees(header.readUInt32LE(14), listed.crc32)) {
    return "has another checksum in its own header";
  }
  const isSameSize =
    agrees(sizes.packed, listed.compressedSize) && agrees(sizes.unpacked, listed.uncompressedSize);
  return isSameSize ? undefined : "has other sizes in its own header";
}

function isSameName(own: readonly ExtraField[], listed: readonly ExtraField[]): boolean {
  const one = own.filter(({ id }) => id === UNICODE_NAME);
  const other = listed.filter(({ id }) => id === UNICODE_NAME);
  if (one.length !== other.length) return false;
  return one.every(({ data }, i) => other[i]?.data.equals(data));
}

function readSizes(header: Buffer, extra: readonly ExtraField[]) {
  const packed = header.readUInt32LE(18);
  const unpacked = header.readUInt32LE(22);
  if (packed !== IN_EXTRA && unpacked !== IN_EXTRA) return { packed, unpacked };
  const [wide, another] = extra.filter(({ id }) => id === WIDE_SIZES);
  if (wide === undefined || another !== undefined || wide.data.length < 16) return undefined;
  // A local header has both sizes or none.
  return {
    unpacked: Number(wide.data.readBigUInt64LE(0)),
    packed: Number(wide.data.readBigUInt64LE(8)),
  };
}
