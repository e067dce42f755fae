import { createReadStream } from "node:fs";
import { extname } from "node:path";

const DELIMITERS = { ".csv": ",", ".tsv": "\t", ".tab": "\t" };
const MAX_CELL_CHARACTERS = 16 * 1024 * 1024;

/**
 * Reads a table as a stream: `onHeader(names)` once, then `onRow(cells, number)` for each row, where
 * a return value of false ends the reading. Memory does not grow with the file.
 */
export async function readRows(file, { onHeader, onRow, delimiter }) {
  const extension = extname(file).toLowerCase();
  const isJson = delimiter === undefined && [".jsonl", ".ndjson"].includes(extension);
  const stream = createReadStream(file, { encoding: "utf8", highWaterMark: 1024 * 1024 });
  let reader;
  for await (const chunk of stream) {
    reader ??= isJson
      ? new JsonLines(onHeader, onRow)
      : new DelimitedText(delimiter ?? DELIMITERS[extension] ?? sniff(chunk), onHeader, onRow);
    if (!reader.push(chunk)) {
      stream.destroy();
      return;
    }
  }
  if (reader === undefined) throw new Error(`${file} is empty`);
  reader.end();
}

/** The separator that the first line has most of. */
function sniff(text) {
  const line = text.slice(0, text.search(/\r?\n|$/));
  const count = (mark) => line.split(mark).length;
  return [",", ";", "\t", "|"].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

class DelimitedText {
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

  push(chunk) {
    const text = this.#rest + (this.#width === -1 ? chunk.replace(/^\uFEFF/, "") : chunk);
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
        if (line !== "" && this.#take(line.split(this.#delimiter)) === false) return false;
        continue;
      }
      const record = this.#quotedRecord(text, start, false);
      if (record === undefined) break;
      start = record.end;
      if (this.#take(record.cells) === false) return false;
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > MAX_CELL_CHARACTERS) {
      throw new Error(`row ${this.#number + 1} does not end: is a quote left open?`);
    }
    return true;
  }

  end() {
    const text = this.#rest;
    if (text.trim() === "") return;
    const record = this.#quotedRecord(text, 0, true);
    if (record === undefined) throw new Error(`row ${this.#number + 1}: a quote is left open`);
    this.#take(record.cells);
  }

  #take(cells) {
    if (this.#width === -1) {
      this.#width = cells.length;
      this.#onHeader(uniqueNames(cells));
      return true;
    }
    this.#number++;
    while (cells.length < this.#width) cells.push("");
    return this.#onRow(cells, this.#number);
  }

  /** A record with quotes in it; undefined when more text is needed to know its end. */
  #quotedRecord(text, start, isLast) {
    const cells = [];
    let at = start;
    for (;;) {
      let cell;
      if (text[at] === '"') {
        const close = closingQuote(text, at + 1);
        if (close === -1 || (close + 1 === text.length && !isLast)) return undefined;
        cell = text.slice(at + 1, close).replaceAll('""', '"');
        at = close + 1;
      } else {
        const from = at;
        while (at < text.length && text[at] !== this.#delimiter && text[at] !== "\n") at++;
        if (at === text.length && !isLast) return undefined;
        cell = text.slice(from, text[at - 1] === "\r" ? at - 1 : at);
      }
      cells.push(cell);
      if (text[at] === this.#delimiter) at++;
      else {
        while (at < text.length && text[at] !== "\n") at++;
        return { cells, end: at + 1 };
      }
    }
  }
}

function closingQuote(text, start) {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}

function uniqueNames(names) {
  const seen = new Map();
  return names.map((name, i) => {
    const base = name.trim() === "" ? `column_${i + 1}` : name.trim();
    const times = (seen.get(base) ?? 0) + 1;
    seen.set(base, times);
    return times === 1 ? base : `${base}_${times}`;
  });
}

/** One JSON object a line. The columns are those of the first object. */
class JsonLines {
  #onHeader;
  #onRow;
  #rest = "";
  #names;
  #number = 0;

  constructor(onHeader, onRow) {
    this.#onHeader = onHeader;
    this.#onRow = onRow;
  }

  push(chunk) {
    const lines = (this.#rest + chunk).split("\n");
    this.#rest = lines.pop();
    for (const line of lines) if (this.#take(line) === false) return false;
    return true;
  }

  end() {
    this.#take(this.#rest);
  }

  #take(line) {
    if (line.trim() === "") return true;
    this.#number++;
    const object = this.#parse(line);
    if (this.#names === undefined) {
      this.#names = Object.keys(object);
      this.#onHeader(this.#names);
    }
    const cells = this.#names.map((name) =>
      textOf(Object.hasOwn(object, name) ? object[name] : ""),
    );
    return this.#onRow(cells, this.#number);
  }

  #parse(line) {
    let value;
    try {
      value = JSON.parse(line);
    } catch (error) {
      throw new Error(`line ${this.#number} is no JSON: ${error.message}`, { cause: error });
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new Error(`line ${this.#number} is no JSON object`);
    }
    return value;
  }
}

function textOf(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
