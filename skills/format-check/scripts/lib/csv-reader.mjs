const MAX_CELL = 4 * 1024 * 1024;

/** Cuts a table into cells that know their place. Wrong quotes are findings, and reading goes on. */
export class CsvReader {
  line = 1;
  #delimiter;
  #findings;
  #onRow;
  #rest = "";
  #isFirst = true;
  #cells = [];
  #ends = new Set();
  #open;

  constructor(delimiter, findings, onRow) {
    this.#delimiter = delimiter;
    this.#findings = findings;
    this.#onRow = onRow;
  }

  push(chunk) {
    let text = this.#rest + chunk;
    if (this.#isFirst && text !== "") {
      this.#isFirst = false;
      if (text.startsWith("\ufeff")) {
        this.#findings.warning(1, 1, "the file begins with a byte order mark (BOM)");
        text = text.slice(1);
      }
    }
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      this.#take(text.slice(start, end), true);
      start = end + 1;
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > MAX_CELL) throw new Error(`line ${this.line} has more than 4 MB`);
  }

  end() {
    if (this.#rest !== "") this.#take(this.#rest, false);
    if (this.#open !== undefined) {
      this.#findings.error(
        this.#open.line,
        this.#open.column,
        "a quote is opened here and never closed",
      );
    }
    if (this.#ends.size > 1) this.#findings.warning(1, 1, "line ends are mixed: CRLF and LF");
  }

  #take(raw, hasEnd) {
    const isWide = raw.endsWith("\r");
    if (hasEnd && this.#open === undefined) this.#ends.add(isWide ? "CRLF" : "LF");
    const line = isWide ? raw.slice(0, -1) : raw;
    this.#delimiter ??= sniff(line);
    if (this.#open === undefined && line === "") {
      this.#findings.warning(this.line, 1, "an empty line");
    } else this.#cut(line);
    this.line++;
  }

  #cut(line) {
    let at = 0;
    if (this.#open !== undefined) {
      this.#open.text += "\n";
      at = this.#quoted(line, 0);
      if (this.#open !== undefined) return;
      if (at >= line.length) {
        this.#finish();
        return;
      }
      at++;
    }
    for (;;) {
      if (line[at] === '"') {
        this.#open = { text: "", line: this.line, column: at + 1 };
        at = this.#quoted(line, at + 1);
        if (this.#open !== undefined) return;
      } else {
        const next = line.indexOf(this.#delimiter, at);
        const end = next === -1 ? line.length : next;
        const text = line.slice(at, end);
        const quote = text.indexOf('"');
        if (quote !== -1)
          this.#findings.error(
            this.line,
            at + quote + 1,
            "a quote inside of a cell that does not begin with one",
          );
        this.#cells.push({ text, line: this.line, column: at + 1 });
        at = end;
      }
      if (at >= line.length) break;
      at++;
    }
    this.#finish();
  }

  /** Reads on within quotes; gives the place of the mark after the cell. */
  #quoted(line, from) {
    let at = from;
    for (;;) {
      const quote = line.indexOf('"', at);
      if (quote === -1) {
        this.#open.text += line.slice(at);
        if (this.#open.text.length > MAX_CELL) {
          throw new Error(`the quote in line ${this.#open.line} is not closed within 4 MB`);
        }
        return line.length;
      }
      this.#open.text += line.slice(at, quote);
      at = quote + 2;
      if (line[quote + 1] !== '"') break;
      this.#open.text += '"';
    }
    const next = line.indexOf(this.#delimiter, at - 1);
    const end = next === -1 ? line.length : next;
    if (end > at - 1)
      this.#findings.error(
        this.line,
        at,
        "something stands between the closing quote and the separator",
      );
    this.#cells.push(this.#open);
    this.#open = undefined;
    return end;
  }

  #finish() {
    const cells = this.#cells;
    this.#cells = [];
    if (cells.length > 0) this.#onRow(cells);
  }
}

function sniff(line) {
  const count = (mark) => line.split(mark).length;
  return [",", ";", "\t", "|"].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}
