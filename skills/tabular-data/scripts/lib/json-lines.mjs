import { MAX_ROW } from "./row-problems.mjs";

/** One JSON object a line. The columns are the keys of the first object. */
export class JsonLines {
  #onHeader;
  #onRow;
  #rest = "";
  #names;
  #known = new Set();
  #number = 0;

  constructor(onHeader, onRow) {
    this.#onHeader = onHeader;
    this.#onRow = onRow;
  }

  get hasHeader() {
    return this.#names !== undefined;
  }

  push(chunk) {
    const lines = (this.#rest + chunk).split("\n");
    this.#rest = lines.pop();
    for (const line of lines) if (!this.#take(line)) return false;
    if (this.#rest.length > MAX_ROW) {
      throw new Error(
        `line ${this.#number + 1} is over ${MAX_ROW / 1024 / 1024} MiB long: JSON lines have one object a line`,
      );
    }
    return true;
  }

  end() {
    this.#take(this.#rest);
  }

  #take(line) {
    this.#number++;
    if (line.trim() === "") return true;
    const object = this.#parse(line);
    const keys = Object.keys(object);
    if (this.#names === undefined) {
      this.#names = keys;
      this.#known = new Set(keys);
      this.#onHeader(keys);
    }
    const cells = this.#names.map((name) =>
      textOf(Object.hasOwn(object, name) ? object[name] : ""),
    );
    // A key that is missing is an empty cell; one that the first object lacks has no column.
    const surplus = keys.reduce((sum, key) => (this.#known.has(key) ? sum : sum + 1), 0);
    return this.#onRow(cells, this.#number, surplus);
  }

  #parse(line) {
    let value;
    try {
      value = JSON.parse(withLongNumbers(line));
    } catch (error) {
      throw new Error(`line ${this.#number} is not JSON: ${error.message}`, { cause: error });
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new Error(`line ${this.#number} is not a JSON object`);
    }
    return value;
  }
}

/** Numbers that JavaScript would round become texts, which keep their digits. */
function withLongNumbers(line) {
  if (!/\d[\d.]{15}/.test(line)) return line;
  return line.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.]{15,}(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e.*)?$/i.test(token)
      ? token
      : `"${token}"`,
  );
}

function textOf(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
