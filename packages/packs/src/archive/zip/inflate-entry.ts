import { crc32, createInflateRaw, inflateRawSync, type InflateRaw } from "node:zlib";
import { isDamage } from "../refuse.ts";
import type { PlacedEntry } from "./check-layout.ts";

const CHUNK_BYTES = 256 * 1024;

/** An entry's content, or what is wrong with it. For entries that fit into memory twice. */
export function inflateEntry({ entry, data }: PlacedEntry): Buffer | string {
  const content = entry.isDeflated ? inflate(data, entry.size) : data;
  if (typeof content === "string") return content;
  if (content.length !== entry.size) return WRONG_SIZE;
  return crc32(content) === entry.listed.crc32 ? content : WRONG_CHECKSUM;
}

/**
 * The same in parts, of which `take` gives a problem to stop. No more is ever unpacked than what
 * the entry says, and a part.
 */
export async function inflateInParts<Problem>(
  { entry, data }: PlacedEntry,
  take: (part: Buffer) => Problem | undefined,
): Promise<Problem | string | undefined> {
  const stream = createInflateRaw({ chunkSize: CHUNK_BYTES });
  let size = 0;
  let checksum = 0;
  stream.end(data);
  try {
    for await (const part of stream as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > entry.size) return WRONG_SIZE;
      checksum = crc32(part, checksum);
      const problem = take(part);
      if (problem !== undefined) return problem;
    }
  } catch (error) {
    return reasonOf(error);
  }
  if (size !== entry.size) return WRONG_SIZE;
  if (stream.bytesWritten !== data.length) return EXTRA_DATA;
  return checksum === entry.listed.crc32 ? undefined : WRONG_CHECKSUM;
}

const WRONG_SIZE = "has another size than it says";
const WRONG_CHECKSUM = "does not match its checksum";
const EXTRA_DATA = "has data behind its compressed content";

function inflate(data: Buffer, size: number): Buffer | string {
  try {
    // A chunk of the right size spares a copy; one byte more lets it see the end at once.
    const chunkSize = Math.max(64, size + 1);
    const options = { info: true, maxOutputLength: Math.max(1, size), chunkSize };
    // With `info` it gives more than its type says.
    const { buffer, engine } = inflateRawSync(data, options) as unknown as Inflated;
    return engine.bytesWritten === data.length ? buffer : EXTRA_DATA;
  } catch (error) {
    return reasonOf(error);
  }
}

interface Inflated {
  readonly buffer: Buffer;
  readonly engine: InflateRaw;
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ERR_BUFFER_TOO_LARGE") return WRONG_SIZE;
  if (!isDamage(error)) throw error;
  return "is damaged: its compressed content cannot be read";
}
