import { crc32, createInflateRaw } from "node:zlib";
import type { PackFailure } from "../../pack-failure.ts";
import { dataAfterEnd, invalidArchive, isDamage } from "../refuse.ts";

/** Large parts: each costs a turn of the event loop. */
const CHUNK_BYTES = 256 * 1024;
const TRAILER_BYTES = 8;

/** What is known while it goes on; a failure stops it. */
type TakeUnpacked = (
  part: Buffer,
  progress: { readonly packed: number; readonly unpacked: number },
) => PackFailure | undefined;

/**
 * Unpacks one gzip member that fills the bytes to the end, part by part. Node's own gunzip goes on
 * to further members and is silent about what follows them.
 */
export async function gunzip(bytes: Buffer, take: TakeUnpacked): Promise<PackFailure | undefined> {
  const start = headerLength(bytes);
  const end = bytes.length - TRAILER_BYTES;
  if (start === undefined || start > end) return invalidArchive("has a damaged gzip header");
  const stream = createInflateRaw({ chunkSize: CHUNK_BYTES });
  let unpacked = 0;
  let checksum = 0;
  stream.end(bytes.subarray(start));
  try {
    for await (const part of stream as AsyncIterable<Buffer>) {
      unpacked += part.length;
      checksum = crc32(part, checksum);
      const problem = take(part, { packed: start + stream.bytesWritten, unpacked });
      if (problem !== undefined) return problem;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
    return invalidArchive("is damaged or cut off: it cannot be unpacked");
  }
  const trailer = start + stream.bytesWritten;
  if (trailer > end) return invalidArchive("is cut off");
  if (trailer < end) return dataAfterEnd();
  const isRight =
    bytes.readUInt32LE(trailer) === checksum &&
    bytes.readUInt32LE(trailer + 4) === unpacked % 2 ** 32;
  return isRight ? undefined : invalidArchive("does not match its checksum");
}

const HAS = { checksum: 0x02, extra: 0x04, name: 0x08, comment: 0x10, unknown: 0xe0 };

function headerLength(bytes: Buffer): number | undefined {
  const flags = bytes[3] ?? HAS.unknown;
  if (bytes[2] !== 8 || (flags & HAS.unknown) !== 0) return undefined;
  let at = 10;
  if ((flags & HAS.extra) !== 0) {
    if (at + 2 > bytes.length) return undefined;
    at += 2 + bytes.readUInt16LE(at);
  }
  for (const text of [HAS.name, HAS.comment]) {
    if ((flags & text) === 0) continue;
    const end = bytes.indexOf(0, at);
    if (end === -1) return undefined;
    at = end + 1;
  }
  return (flags & HAS.checksum) === 0 ? at : at + 2;
}
