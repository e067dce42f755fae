import { packTar } from "modern-tar";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import {
  type ArchiveEntry,
  COMPRESSION_LEVEL,
  type CompressOptions,
  inByteOrder,
  isWorthCompressing,
  modeOf,
} from "./archive-entry.ts";

const EXTRA_FLAGS = 8;
const OPERATING_SYSTEM = 9;
const UNKNOWN_SYSTEM = 255;

/** A compressed tar whose bytes depend on nothing but the entries and the version of zlib. */
export async function writeTarGzip(
  entries: readonly ArchiveEntry[],
  { compression, ratio }: CompressOptions,
): Promise<Buffer> {
  const tar = await packTar(
    inByteOrder(entries).map((entry) => ({
      header: {
        name: entry.path,
        size: entry.content.length,
        type: "file" as const,
        mode: modeOf(entry),
        mtime: new Date(0),
        uid: 0,
        gid: 0,
        uname: "",
        gname: "",
      },
      body: entry.content,
    })),
  );
  const level = compression === "store" ? 0 : COMPRESSION_LEVEL;
  const compressed = await promisify(gzip)(tar, { level });
  const isFine = level === 0 || isWorthCompressing(tar.length, compressed.length, ratio);
  return withoutTraces(isFine ? compressed : await promisify(gzip)(tar, { level: 0 }));
}

/** zlib writes no time and no name here, but the system it was built for. */
function withoutTraces(archive: Buffer): Buffer {
  archive[EXTRA_FLAGS] = 0;
  archive[OPERATING_SYSTEM] = UNKNOWN_SYSTEM;
  return archive;
}
