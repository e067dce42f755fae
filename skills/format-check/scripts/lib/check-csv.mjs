import { createReadStream } from "node:fs";
import { extname } from "node:path";
import { columnCheck } from "./csv-column.mjs";
import { CsvReader } from "./csv-reader.mjs";
import { visible } from "./visible.mjs";

/** Checks a table as a stream; memory does not grow with it, apart from columns that must be unique. */
export async function checkCsv(file, rules, findings) {
  const usual = [".tsv", ".tab"].includes(extname(file).toLowerCase()) ? "\t" : undefined;
  const table = new TableCheck(rules, findings);
  const reader = new CsvReader(rules.delimiter ?? usual, findings, (cells) => table.row(cells));
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
      const zero = chunk.indexOf(0);
      if (zero !== -1) {
        reader.push(decoder.decode(chunk.subarray(0, zero), { stream: true }));
        findings.error(reader.line, 1, "a NUL byte: this is not CSV, or it is UTF-16");
        return `stopped in line ${reader.line}`;
      }
      reader.push(decoder.decode(chunk, { stream: true }));
    }
    reader.push(decoder.decode());
  } catch (error) {
    if (error?.code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw error;
    findings.error(
      reader.line,
      1,
      "a byte in or after this line is not UTF-8; save the file as UTF-8",
    );
    return `stopped near line ${reader.line}`;
  }
  reader.end();
  return table.end(reader.line);
}

class TableCheck {
  #rules;
  #findings;
  #width;
  #columns = [];
  #rows = 0;

  constructor(rules, findings) {
    this.#rules = rules;
    this.#findings = findings;
  }

  /** Cells are `{ text, line, column }`. */
  row(cells) {
    if (this.#width === undefined) {
      this.#width = cells.length;
      if (this.#rules.header !== false) {
        this.#header(cells);
        return;
      }
      this.#columns = cells.map((_, i) => this.#check(this.#rules.columns?.[i]));
    }
    this.#rows++;
    const [{ line }] = cells;
    if (cells.length !== this.#width) {
      this.#findings.error(
        line,
        cells.at(-1).column,
        `${cells.length} cells, ${this.#width} are expected`,
      );
      return;
    }
    for (const [i, cell] of cells.entries()) this.#columns[i]?.(cell);
  }

  end(lines) {
    const { minRows = 0, maxRows = Infinity, header } = this.#rules;
    if (this.#width === undefined) this.#findings.error(1, 1, "the file is empty");
    else if (this.#rows < minRows)
      this.#findings.error(lines, 1, `${this.#rows} rows, at least ${minRows} are expected`);
    else if (this.#rows > maxRows)
      this.#findings.error(lines, 1, `${this.#rows} rows, at most ${maxRows} are expected`);
    return `${this.#rows} rows, ${this.#width ?? 0} columns${header === false ? ", no header" : ""}`;
  }

  #header(cells) {
    const seen = new Set();
    for (const { text, line, column } of cells) {
      if (text.trim() === "") this.#findings.error(line, column, "a column has no name");
      else if (seen.has(text))
        this.#findings.error(line, column, `the column "${visible(text)}" is repeated`);
      else if (text !== text.trim())
        this.#findings.warning(line, column, `the name "${visible(text)}" has blanks around it`);
      seen.add(text);
    }
    const wanted = this.#rules.columns ?? [];
    const [{ line }] = cells;
    for (const { name, optional } of wanted) {
      if (!seen.has(name) && optional !== true)
        this.#findings.error(line, 1, `the column "${visible(name ?? "")}" is missing`);
    }
    if (this.#rules.extraColumns === false) {
      for (const { text, column } of cells.filter(
        (cell) => !wanted.some(({ name }) => name === cell.text),
      )) {
        this.#findings.error(line, column, `the column "${visible(text)}" is not expected`);
      }
    }
    const places = wanted
      .map(({ name }) => cells.findIndex(({ text }) => text === name))
      .filter((at) => at !== -1);
    if (this.#rules.ordered === true && places.some((at, i) => at < (places[i - 1] ?? -1))) {
      this.#findings.error(line, 1, "the columns are in a different order");
    }
    this.#columns = cells.map(({ text }) => this.#check(wanted.find(({ name }) => name === text)));
  }

  #check(rule) {
    return rule === undefined ? undefined : columnCheck(rule, this.#findings);
  }
}
