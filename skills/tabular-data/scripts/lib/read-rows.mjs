import { closeSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { DelimitedText } from "./delimited-text.mjs";
import { JsonLines } from "./json-lines.mjs";
import { openTable } from "./open-table.mjs";

const CHUNK_BYTES = 1024 * 1024;

/**
 * Reads a table step by step: `onHeader(names)` once, then `onRow(cells, number, surplus)` for each row,
 * where `surplus` is how many cells it had more than the header – below zero: fewer – and a return value
 * of false ends the reading. `onPause()` is awaited now and then. Memory does not grow with the file.
 */
export async function readRows(file, { delimiter, ...handlers }) {
  const table = openTable(file, delimiter);
  try {
    await readTable(table, handlers);
  } finally {
    closeSync(table.handle);
  }
}

/** The same for a table that is open already. */
export async function readTable({ handle, first, kind, delimiter }, { onHeader, onRow, onPause }) {
  const reader =
    kind === "json"
      ? new JsonLines(onHeader, onRow)
      : new DelimitedText(delimiter, onHeader, onRow);
  const decoder = new StringDecoder("utf8");
  if (!reader.push(decoder.write(first).replace(/^\uFEFF/, ""))) return;
  const bytes = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    const read = readSync(handle, bytes, 0, bytes.length, null);
    if (read === 0) break;
    if (!reader.push(decoder.write(bytes.subarray(0, read)))) return;
    await onPause?.();
  }
  if (reader.push(decoder.end())) reader.end();
  if (!reader.hasHeader) throw new Error("there are no rows in the file");
}
