/** Most findings that are kept; the rest is counted. */
const MAX_KEPT = 1000;

/** What was found in one file, in the order of its lines. */
export class Findings {
  errors = 0;
  warnings = 0;
  /** The file uses what cannot be read here, so nothing is said about the rest of it. */
  isUnread = false;
  #kept = [];

  error(line, column, message) {
    this.errors++;
    this.#keep({ line, column, severity: "error", message });
  }

  warning(line, column, message) {
    this.warnings++;
    this.#keep({ line, column, severity: "warning", message });
  }

  get list() {
    return this.#kept.sort((a, b) => a.line - b.line || a.column - b.column);
  }

  get omitted() {
    return this.errors + this.warnings - this.#kept.length;
  }

  #keep(finding) {
    if (this.#kept.length < MAX_KEPT) this.#kept.push(finding);
  }
}
