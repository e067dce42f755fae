import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { extname } from "node:path";

const BATCH_CHARACTERS = 256 * 1024;

/** Writes rows to standard output or, all or nothing, to a file. */
export class RowWriter {
  #names;
  #file;
  #part;
  #stream;
  #isJson;
  #delimiter;
  #batch = "";

  constructor(names, file) {
    const extension = extname(file ?? "").toLowerCase();
    this.#names = names;
    this.#file = file;
    this.#part = file === undefined ? undefined : `${file}.part-${process.pid}`;
    this.#stream =
      file === undefined ? process.stdout : createWriteStream(this.#part, { flags: "wx" });
    this.#isJson = [".jsonl", ".ndjson"].includes(extension);
    this.#delimiter = extension === ".tsv" ? "\t" : ",";
    if (!this.#isJson) this.#put(this.#line(names));
  }

  write(cells) {
    this.#put(
      this.#isJson
        ? JSON.stringify(Object.fromEntries(this.#names.map((name, i) => [name, cells[i]])))
        : this.#line(cells),
    );
  }

  async end() {
    const isWritten = new Promise((resolve, reject) => {
      this.#stream.once("error", reject);
      if (this.#file === undefined) this.#stream.write(this.#batch, () => resolve());
      else this.#stream.end(this.#batch, () => resolve());
    });
    try {
      await isWritten;
      if (this.#file !== undefined) await rename(this.#part, this.#file);
    } catch (error) {
      if (this.#part !== undefined) await rm(this.#part, { force: true });
      throw error;
    }
  }

  #put(line) {
    this.#batch += `${line}\n`;
    if (this.#batch.length < BATCH_CHARACTERS) return;
    this.#stream.write(this.#batch);
    this.#batch = "";
  }

  #line(cells) {
    return cells.map((cell) => this.#quote(String(cell))).join(this.#delimiter);
  }

  #quote(cell) {
    const needsQuotes = cell.includes(this.#delimiter) || /["\n\r]/.test(cell);
    return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
  }
}
