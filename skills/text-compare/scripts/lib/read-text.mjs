import { open, stat } from "node:fs/promises";
import { UsageError } from "./command.mjs";

/** Larger files are compared as a stream, up to the first difference. */
export const MAX_BYTES = 64 * 1024 * 1024;
const CHUNK = 1024 * 1024;

export async function sizeOfFile(path) {
  const found = await stat(path);
  if (found.isDirectory()) throw new UsageError(`${path} is a folder, the other one is not`);
  if (!found.isFile()) throw new UsageError(`${path} is not a regular file`);
  return found.size;
}

/** Where two files differ first, in bytes; undefined when they are the same. Memory stays small. */
export async function firstDifferentByte(pathA, pathB) {
  const [a, b] = [await open(pathA), await open(pathB)];
  try {
    const [left, right] = [Buffer.alloc(CHUNK), Buffer.alloc(CHUNK)];
    for (let at = 0; ; at += CHUNK) {
      const [lengthA, lengthB] = [await fill(a, left, at), await fill(b, right, at)];
      const [partA, partB] = [left.subarray(0, lengthA), right.subarray(0, lengthB)];
      if (!partA.equals(partB)) {
        let i = 0;
        while (i < lengthA && i < lengthB && partA[i] === partB[i]) i++;
        return at + i;
      }
      if (lengthA < CHUNK) return undefined;
    }
  } finally {
    await a.close();
    await b.close();
  }
}

async function fill(handle, buffer, position) {
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(
      buffer,
      length,
      buffer.length - length,
      position + length,
    );
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

/** `{ isBinary }`, or the text with what belongs to the file and not to a line. */
export async function readText(path) {
  const handle = await open(path);
  try {
    return decode(await handle.readFile());
  } finally {
    await handle.close();
  }
}

export function decode(bytes) {
  const starts = (...marks) => marks.every((mark, i) => bytes[i] === mark);
  if (starts(0xff, 0xfe)) return textOf("utf-16le", "UTF-16 LE", bytes, true);
  if (starts(0xfe, 0xff)) return textOf("utf-16be", "UTF-16 BE", bytes, true);
  if (bytes.includes(0)) return { isBinary: true };
  const hasMark = starts(0xef, 0xbb, 0xbf);
  try {
    return textOf("utf-8", "UTF-8", bytes, hasMark);
  } catch {
    // Every byte is a character then, so that each difference is still seen.
    const text = bytes.toString("latin1");
    return { isBinary: false, text, encoding: "not UTF-8, read as Latin-1", hasMark: false };
  }
}

function textOf(label, encoding, bytes, hasMark) {
  const text = new TextDecoder(label, { fatal: true }).decode(bytes);
  return { isBinary: false, text, encoding, hasMark };
}
