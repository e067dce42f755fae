import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { once } from "node:events";
import { extname } from "node:path";

const BATCH_CHARACTERS = 256 * 1024;

/** Writes rows to standard output or, all or nothing, to a file. */
export class RowWriter {
  #names;
  #file;
  #part;
  #handle;
  #isJson;
  #delimiter;
  #batch = "";

  constructor(names, file) {
    const extension = extname(file ?? "").toLowerCase();
    this.#names = names;
    this.#file = file;
    this.#isJson = [".jsonl", ".ndjson"].includes(extension);
    this.#delimiter = extension === ".tsv" ? "\t" : ",";
    if (file === undefined) process.stdout.on("error", endQuietly);
    else this.#openPart(`${file}.part-${process.pid}`);
    if (!this.#isJson) this.#put(this.#line(names));
  }

  write(cells) {
    this.#put(
      this.#isJson
        ? JSON.stringify(Object.fromEntries(this.#names.map((name, i) => [name, cells[i]])))
        : this.#line(cells),
    );
  }

  /** Waits until standard output has taken what it was given, so that it does not pile up here. */
  async drain() {
    if (this.#file === undefined && process.stdout.writableNeedDrain) {
      await once(process.stdout, "drain");
    }
  }

  async end() {
    this.#flush();
    await this.drain();
    if (this.#file === undefined) return;
    closeSync(this.#handle);
    renameSync(this.#part, this.#file);
    this.#part = undefined;
  }

  #openPart(part) {
    try {
      this.#handle = openSync(part, "wx");
    } catch (error) {
      if (!["EROFS", "EACCES", "EPERM"].includes(error.code)) throw error;
      const hint = "without --out the result is printed";
      throw new Error(`${this.#file} may not be written here: ${hint}`, { cause: error });
    }
    this.#part = part;
    // However the script ends: what is not complete does not stay.
    process.once("exit", () => {
      if (this.#part !== undefined) rmSync(this.#part, { force: true });
    });
  }

  #put(line) {
    this.#batch += `${line}\n`;
    if (this.#batch.length >= BATCH_CHARACTERS) this.#flush();
  }

  #flush() {
    const bytes = Buffer.from(this.#batch);
    this.#batch = "";
    if (this.#file === undefined) {
      process.stdout.write(bytes);
      return;
    }
    // A full disk may take a part only; the next call then says so.
    for (let at = 0; at < bytes.length;) at += writeSync(this.#handle, bytes, at);
  }

  #line(cells) {
    return cells.map((cell) => this.#quote(String(cell))).join(this.#delimiter);
  }

  #quote(cell) {
    const needsQuotes = cell.includes(this.#delimiter) || /["\n\r]/.test(cell);
    return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
  }
}

/** Who reads has enough, as with `head`. */
function endQuietly(error) {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
}
