import { type Entry, fromRandomAccessReader, RandomAccessReader, type ZipFile } from "yauzl";
import type { PackFailure } from "../../pack-failure.ts";
import { refuse } from "../refuse.ts";
import type { DirectoryPlace } from "./locate-directory.ts";

/** The entries as the archive's list has them, all of it and nothing else. */
export function listEntries(
  bytes: Buffer,
  place: DirectoryPlace,
): { readonly ok: true; readonly entries: readonly Entry[] } | PackFailure {
  const entries: Entry[] = [];
  let problem: Error | undefined;
  let read = place.start;
  try {
    const archive = openBytes(bytes);
    archive.on("entry", (entry: Entry) => entries.push(entry));
    archive.on("error", (error: Error) => (problem = error));
    if (archive.entryCount !== place.entries) problem = new Error("two counts of entries");
    for (let i = 1; problem === undefined && i <= place.entries; i++) {
      archive.readEntry();
      // Of an entry without name and fields the reader would tell only later.
      if (entries.length !== i) problem ??= new Error("an entry has no name");
    }
    read += entries.reduce((sum, entry) => sum + sizeInList(entry), 0);
  } catch (error) {
    problem = error instanceof Error ? error : new Error(String(error));
  }
  if (problem !== undefined) {
    return refuse(
      "archive-invalid",
      `the archive's list of entries is damaged: ${problem.message}`,
    );
  }
  if (read !== place.end) {
    return refuse("archive-invalid", "the archive has another number of entries than it says");
  }
  return { ok: true, entries };
}

/** Names are left as bytes: to decode them is a decision. */
function openBytes(bytes: Buffer): ZipFile {
  const options = { lazyEntries: true, decodeStrings: false, autoClose: false };
  let opened: ZipFile | undefined;
  let problem: Error | null = null;
  fromRandomAccessReader(new BytesReader(bytes), bytes.length, options, (error, archive) => {
    problem = error;
    opened = archive;
  });
  if (opened === undefined) throw problem ?? new Error("it cannot be opened");
  return opened;
}

/** Answers at once, so that reading a list is a loop and not thousands of turns of the event loop. */
class BytesReader extends RandomAccessReader {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    super();
    this.#bytes = bytes;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    const isInside = position >= 0 && position + length <= this.#bytes.length;
    if (!isInside) return callback(new Error("it points outside of the archive"));
    callback(null, this.#bytes.copy(buffer, offset, position, position + length));
  }
}

const FIXED_SIZE = 46;

function sizeInList({ fileNameLength, extraFieldLength, fileCommentLength }: Entry): number {
  return FIXED_SIZE + fileNameLength + extraFieldLength + fileCommentLength;
}
