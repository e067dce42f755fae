import { createReadStream } from "node:fs";
import { extname } from "node:path";

const DELIMITERS = { ".csv": ",", ".tsv": "\t", ".tab": "\t" };
const JSON_LINES = new Set([".jsonl", ".ndjson"]);
const MAX_ROW_CHARACTERS = 16 * 1024 * 1024;

/**
 * Reads a table as a stream: `onHeader(names)` once, then `onRow(cells, number)` for each row. Memory
 * does not grow with the file.
 */
export async function readRows(file, { onHeader, onRow, delimiter, encoding }) {
  const extension = extname(file).toLowerCase();
  if (extension === ".json")
    throw new Error(`${file}: of JSON, only one object per line is read (.jsonl)`);
  const isJson = delimiter === undefined && JSON_LINES.has(extension);
  let reader;
  for await (const chunk of textOf(file, encoding)) {
    reader ??= isJson
      ? new JsonLines(onHeader, onRow)
      : new DelimitedText(delimiter ?? separatorOf(chunk, DELIMITERS[extension]), onHeader, onRow);
    reader.push(chunk);
  }
  if (reader === undefined) throw new Error(`${file} is empty`);
  reader.end();
}

async function* textOf(file, encoding) {
  let decoder;
  try {
    for await (const bytes of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
      decoder ??= decoderFor(bytes, encoding);
      const text = decoder.decode(bytes, { stream: true });
      if (text.includes("\0")) throw new Error(`${file} is not a text file`);
      if (text !== "") yield text;
    }
    const rest = decoder?.decode() ?? "";
    if (rest !== "") yield rest;
  } catch (error) {
    if (error?.code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw error;
    throw new Error(
      `${file} is not in ${decoder.encoding}; name its encoding, such as --encoding gb18030`,
      { cause: error },
    );
  }
}

function decoderFor(bytes, encoding) {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    return new TextDecoder(encoding ?? (isWide ? "utf-16le" : "utf-8"), { fatal: true });
  } catch (error) {
    throw new Error(`there is no encoding ${encoding}`, { cause: error });
  }
}

/** The usual one for the file's name when the first line has it, or what that line has most of. */
function separatorOf(text, usual) {
  const line = text.slice(0, text.search(/\r?\n|$/));
  const count = (mark) => line.split(mark).length;
  if (usual !== undefined && count(usual) > 1) return usual;
  return [usual ?? ",", ",", ";", "\t", "|"].reduce((best, mark) =>
    count(mark) > count(best) ? mark : best,
  );
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
    const text = this.#rest + chunk;
    let start = 0;
    // Looked for again only behind the last one: most lines have none.
    let quote = text.indexOf('"');
    for (;;) {
      const end = text.indexOf("\n", start);
      if (end === -1) break;
      if (quote !== -1 && quote < start) quote = text.indexOf('"', start);
      if (quote === -1 || quote > end) {
        const line = text.slice(start, text.charCodeAt(end - 1) === 13 ? end - 1 : end);
        start = end + 1;
        if (line !== "") this.#take(line.split(this.#delimiter));
        continue;
      }
      const record = this.#quotedRecord(text, start, false);
      if (record === undefined) break;
      start = record.end;
      this.#take(record.cells);
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > MAX_ROW_CHARACTERS)
      throw new Error(`row ${this.#number + 1} does not end: is a quote left open?`);
  }

  end() {
    if (this.#rest.trim() === "") return;
    const record = this.#quotedRecord(this.#rest, 0, true);
    if (record === undefined) throw new Error(`row ${this.#number + 1}: a quote is left open`);
    this.#take(record.cells);
  }

  #take(cells) {
    if (this.#width === -1) {
      this.#width = cells.length;
      this.#onHeader(uniqueNames(cells));
      return;
    }
    this.#number++;
    while (cells.length < this.#width) cells.push("");
    this.#onRow(cells, this.#number);
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
      if (text[at] === this.#delimiter) {
        at++;
        continue;
      }
      const end = text.indexOf("\n", at);
      if (end === -1 && !isLast) return undefined;
      return { cells, end: end === -1 ? text.length : end + 1 };
    }
  }
}

function closingQuote(text, start) {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}

/**
 * Names of columns: none is empty, none is there twice. A name that several columns have is numbered in
 * each of them, so that whoever asks for it must say which one is meant.
 */
function uniqueNames(names) {
  const bases = names.map((name, i) => (name.trim() === "" ? `column_${i + 1}` : name.trim()));
  const counts = new Map();
  for (const base of bases) counts.set(base, (counts.get(base) ?? 0) + 1);
  const taken = new Set(bases.filter((base) => counts.get(base) === 1));
  const last = new Map();
  return bases.map((base) => {
    if (counts.get(base) === 1) return base;
    let times = (last.get(base) ?? 0) + 1;
    while (taken.has(`${base}_${times}`)) times++;
    last.set(base, times);
    taken.add(`${base}_${times}`);
    return `${base}_${times}`;
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
    if (this.#rest.length > MAX_ROW_CHARACTERS)
      throw new Error(`line ${this.#number + lines.length + 1} is too long`);
    for (const line of lines) this.#take(line);
  }

  end() {
    this.#take(this.#rest);
  }

  #take(line) {
    if (line.trim() === "") return;
    this.#number++;
    const object = this.#parse(line);
    if (this.#names === undefined) {
      this.#names = Object.keys(object);
      this.#onHeader([...this.#names]);
    }
    const cells = this.#names.map((name) =>
      cellOf(Object.hasOwn(object, name) ? object[name] : ""),
    );
    this.#onRow(cells, this.#number);
  }

  #parse(line) {
    let value;
    try {
      value = JSON.parse(line);
    } catch (error) {
      throw new Error(`row ${this.#number} is not JSON`, { cause: error });
    }
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
    throw new Error(`row ${this.#number} is not a JSON object`);
  }
}

function cellOf(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
