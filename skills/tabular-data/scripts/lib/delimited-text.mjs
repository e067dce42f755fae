import { MAX_ROW, rowName, tooLong } from "./row-problems.mjs";
import { uniqueNames } from "./unique-names.mjs";

/** Rows of CSV and its kin from pieces of text; `push` gives false when the reader of rows has enough. */
export class DelimitedText {
  #delimiter;
  #onHeader;
  #onRow;
  #rest = "";
  #width = -1;
  #number = 0;

  constructor(delimiter, onHeader, onRow) {
    this.#delimiter = delimiter;
    this.#onHeader = onHeader;
    this.#onRow = onRow;
  }

  get hasHeader() {
    return this.#width !== -1;
  }

  push(chunk) {
    const text = this.#rest + chunk;
    let start = 0;
    let quote = -2;
    for (;;) {
      const end = text.indexOf("\n", start);
      if (end === -1) break;
      // Looked for once, not for every line: a file without quotes has none in a whole megabyte.
      if (quote !== -1 && quote < start) quote = text.indexOf('"', start);
      if (quote === -1 || quote > end) {
        const line = text.slice(start, text.charCodeAt(end - 1) === 13 ? end - 1 : end);
        start = end + 1;
        if (line !== "" && !this.#take(line.split(this.#delimiter))) return false;
        continue;
      }
      const record = this.#quotedRecord(text, start);
      if (record === undefined) break;
      start = record.end;
      if (!this.#take(record.cells)) return false;
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > MAX_ROW) throw tooLong(this.#next());
    return true;
  }

  /** The last line may do without its end. */
  end() {
    if (this.#rest !== "" && !this.push("\n")) return;
    if (this.#rest !== "") throw new Error(`${rowName(this.#next())}: a quote is left open`);
  }

  #next() {
    return this.#width === -1 ? 0 : this.#number + 1;
  }

  #take(cells) {
    if (this.#width === -1) {
      this.#width = cells.length;
      this.#onHeader(uniqueNames(cells));
      return true;
    }
    const surplus = cells.length - this.#width;
    while (cells.length < this.#width) cells.push("");
    return this.#onRow(cells, ++this.#number, surplus);
  }

  /** A record with quotes in it; undefined when more text is needed to know its end. */
  #quotedRecord(text, start) {
    const cells = [];
    for (let at = start; ; at++) {
      const isQuoted = text[at] === '"';
      const close = isQuoted ? closingQuote(text, at + 1) : at;
      if (close === -1) return undefined;
      let end = close;
      while (end < text.length && text[end] !== this.#delimiter && text[end] !== "\n") end++;
      if (end === text.length) return undefined;
      const isRowEnd = text[end] === "\n";
      const last = isRowEnd && end > at && text[end - 1] === "\r" ? end - 1 : end;
      // What follows the closing quote belongs to the cell, as most readers have it.
      const cell = isQuoted
        ? text.slice(at + 1, close).replaceAll('""', '"') + text.slice(close + 1, last)
        : text.slice(at, last);
      cells.push(cell);
      if (isRowEnd) return { cells, end: end + 1 };
      at = end;
    }
  }
}

function closingQuote(text, start) {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}
