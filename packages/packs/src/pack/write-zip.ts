import { promisify } from "node:util";
import { deflateRaw, deflateRawSync } from "node:zlib";
import { ZipFile } from "yazl";
import {
  type ArchiveEntry,
  COMPRESSION_LEVEL,
  type CompressOptions,
  inByteOrder,
  isWorthCompressing,
  modeOf,
} from "./archive-entry.ts";

const REGULAR_FILE = 0o100000;
const LITTLE_BYTES = 64 * 1024;

/** A zip whose bytes depend on nothing but the entries and the version of zlib. */
export async function writeZip(
  entries: readonly ArchiveEntry[],
  options: CompressOptions,
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const entry of inByteOrder(entries)) {
    zip.addBuffer(entry.content, entry.path, {
      // The earliest time that zip knows, in the zone in which yazl writes it down.
      mtime: new Date(1980, 0, 1),
      forceDosTimestamp: true,
      mode: REGULAR_FILE | modeOf(entry),
      compressionLevel: await levelFor(entry.content, options),
    });
  }
  const failed = new Promise<never>((_, reject) => {
    zip.on("error", reject);
  });
  zip.end();
  return await Promise.race([readAll(zip.outputStream), failed]);
}

async function levelFor(content: Buffer, { compression, ratio }: CompressOptions) {
  if (compression === "store" || content.length === 0) return 0;
  const settings = { level: COMPRESSION_LEVEL };
  // For little, waiting for another thread takes longer than the work.
  const compressed =
    content.length <= LITTLE_BYTES
      ? deflateRawSync(content, settings)
      : await promisify(deflateRaw)(content, settings);
  return isWorthCompressing(content.length, compressed.length, ratio) ? COMPRESSION_LEVEL : 0;
}

async function readAll(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
