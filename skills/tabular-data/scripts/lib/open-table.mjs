import { closeSync, openSync, readSync } from "node:fs";
import { extname } from "node:path";

// Not `.csv`: where the comma is for decimals, such files have semicolons.
const DELIMITERS = { ".tsv": "\t", ".tab": "\t" };
const FIRST_BYTES = 64 * 1024;
const UNREADABLE = [
  { marks: [0x1f, 0x8b], what: "is compressed with gzip: unpack it first, with gunzip -k" },
  {
    marks: [0x28, 0xb5, 0x2f, 0xfd],
    what: "is compressed with zstd: unpack it first, with unzstd",
  },
  { marks: [0x42, 0x5a, 0x68], what: "is compressed with bzip2: unpack it first, with bunzip2 -k" },
  {
    marks: [0x50, 0x4b, 0x03, 0x04],
    what: "is a zip or an Excel file: save the sheet as CSV first",
  },
  { marks: [0xd0, 0xcf, 0x11, 0xe0], what: "is an old Excel file: save the sheet as CSV first" },
  { marks: [0x50, 0x41, 0x52, 0x31], what: "is a Parquet file: export it as CSV first" },
  { marks: [0xff, 0xfe], what: "is UTF-16: convert it first, with iconv -f UTF-16 -t UTF-8" },
  { marks: [0xfe, 0xff], what: "is UTF-16: convert it first, with iconv -f UTF-16 -t UTF-8" },
];

/**
 * Opens a table and looks at its beginning: what it is, and whether it can be read at all. `first` are
 * the bytes already taken from it; the caller closes `handle`.
 */
export function openTable(file, delimiter) {
  const handle = openSync(file, "r");
  try {
    const first = firstBytes(handle);
    if (first.length === 0) throw new Error(`${file} is empty`);
    refuseOtherFormats(file, first);
    const extension = extname(file).toLowerCase();
    if (delimiter === undefined && [".jsonl", ".ndjson"].includes(extension)) {
      return { handle, first, kind: "json" };
    }
    refuseOldLineEnds(file, first);
    const mark = delimiter ?? DELIMITERS[extension] ?? sniff(first);
    return { handle, first, kind: "delimited", delimiter: mark };
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

/** A pipe may give less than asked for. */
function firstBytes(handle) {
  const bytes = Buffer.allocUnsafe(FIRST_BYTES);
  let length = 0;
  while (length < bytes.length) {
    const read = readSync(handle, bytes, length, bytes.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

function refuseOtherFormats(file, first) {
  for (const { marks, what } of UNREADABLE) {
    if (marks.every((mark, i) => first[i] === mark)) throw new Error(`${file} ${what}`);
  }
  const zero = first.indexOf(0);
  if (zero === -1) return;
  // Latin text in UTF-16 has a zero in every second byte.
  const isWide = zero < 2 && first.length > 3 && first[zero] === first[zero + 2];
  throw new Error(
    isWide
      ? `${file} is UTF-16 without a mark: convert it first, with iconv -f UTF-16${zero === 1 ? "LE" : "BE"} -t UTF-8`
      : `${file} is binary: byte ${zero + 1} is zero, which no text has`,
  );
}

function refuseOldLineEnds(file, first) {
  if (first.includes(10) || !first.includes(13)) return;
  throw new Error(
    `the lines of ${file} end with CR alone: convert it first, with tr '\\r' '\\n' < old > new`,
  );
}

/** The separator that the first line has most of, outside of quotes. */
function sniff(first) {
  const line = /^(?:"[^"]*"|[^"\n])*/.exec(first.toString("utf8"))[0].replaceAll(/"[^"]*"/g, "");
  const count = (mark) => line.split(mark).length;
  return [",", ";", "\t", "|"].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}
