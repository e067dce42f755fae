import { Refusal } from "./refusal.mjs";
import { scalarNode, unescape, wrongEscape } from "./yaml-scalar.mjs";
import { visible } from "./visible.mjs";

const MAX_DEPTH = 200;

/** Values in brackets, braces or quotes, over as many lines as they take. */
export class YamlFlow {
  row;
  #lines;
  #column;
  #first;
  #findings;
  #parent;

  constructor(lines, row, column, firstLine, findings, parent) {
    this.#lines = lines;
    this.row = row;
    this.#column = column;
    this.#first = firstLine;
    this.#findings = findings;
    this.#parent = parent;
  }

  value(depth) {
    if (depth > MAX_DEPTH) this.#refuse(`more than ${MAX_DEPTH} levels`);
    const place = this.#place();
    const mark = this.#mark;
    if (mark === "[") return { type: "array", items: this.#items(depth), ...place };
    if (mark === "{") return { type: "object", entries: this.#entries(depth), ...place };
    if (mark === '"' || mark === "'") {
      return { type: "string", value: this.#quoted(mark), ...place };
    }
    if ("&*!".includes(mark)) this.#refuse("anchors, aliases and tags (& * !) are not supported");
    if (/^[-?](?:\s|$)/.test((this.#lines[this.row] ?? "").slice(this.#column))) {
      this.#refuse(`a value that begins with ${mark} is not supported`);
    }
    return this.#plain(place);
  }

  /** What is left on the line, without a comment. */
  rest() {
    const text = (this.#lines[this.row] ?? "").slice(this.#column);
    const after = /^\s+#/.test(text) ? "" : text.trim();
    return { text: after, line: this.row + this.#first, column: this.#column + 1 };
  }

  get #mark() {
    return this.#lines[this.row]?.[this.#column] ?? "";
  }

  #items(depth) {
    const items = [];
    this.#column++;
    for (;;) {
      this.#blanks();
      if (this.#mark === "]") break;
      const place = this.#place();
      const item = this.value(depth + 1);
      this.#blanks();
      if (this.#mark === ":") {
        throw new Refusal(
          place.line,
          place.column,
          "a key without braces in a list is not supported",
        );
      }
      items.push(item);
      if (this.#mark === ",") this.#column++;
      else if (this.#mark !== "]") this.#refuse(`a comma or ] is missing before ${this.#shown()}`);
    }
    this.#column++;
    return items;
  }

  #entries(depth) {
    const entries = [];
    const seen = new Map();
    this.#column++;
    for (;;) {
      this.#blanks();
      if (this.#mark === "}") break;
      if (this.#mark === "?" || this.#mark === "[" || this.#mark === "{") {
        this.#refuse("keys that are no plain text are not supported");
      }
      const { line, column } = this.#place();
      const key = String(this.value(depth + 1).value);
      if (key === "<<") this.#refuse("merge keys (<<) are not supported");
      if (seen.has(key)) {
        this.#findings.error(
          line,
          column,
          `the key "${visible(key)}" is repeated, first in line ${seen.get(key)}`,
        );
      } else seen.set(key, line);
      this.#blanks();
      let node = { type: "null", value: null, line, column };
      if (this.#mark === ":") {
        this.#column++;
        this.#blanks();
        if (!",}".includes(this.#mark)) node = this.value(depth + 1);
      }
      entries.push({ key, line, column, node });
      this.#blanks();
      if (this.#mark === ",") this.#column++;
      else if (this.#mark !== "}") this.#refuse(`a comma or } is missing before ${this.#shown()}`);
    }
    this.#column++;
    return entries;
  }

  #quoted(quote) {
    const start = this.#place();
    let text = "";
    this.#column++;
    for (;;) {
      const line = this.#lines[this.row];
      if (line === undefined)
        throw new Refusal(start.line, start.column, "this text has no closing quote");
      const end = closing(line, this.#column, quote);
      if (end !== -1) {
        text += line.slice(this.#column, end);
        this.#column = end + 1;
        break;
      }
      text = `${text}${line.slice(this.#column).trimEnd()}`;
      let blanks = 0;
      do {
        this.row++;
        blanks++;
      } while (this.#lines[this.row]?.trim() === "");
      this.#column = (this.#lines[this.row] ?? "").search(/\S|$/);
      if (this.#lines[this.row] !== undefined && this.#column <= this.#parent) {
        throw new Refusal(
          start.line,
          start.column,
          "this text has no closing quote, or goes on too far left",
        );
      }
      text += blanks > 1 ? "\n".repeat(blanks - 1) : text.endsWith("\\") ? "" : " ";
    }
    if (quote === "'") return text.replaceAll("''", "'");
    const wrong = wrongEscape(text);
    if (wrong !== undefined)
      throw new Refusal(start.line, start.column, `${visible(wrong)} is not a valid escape`);
    return unescape(text);
  }

  #plain(place) {
    const line = this.#lines[this.row] ?? "";
    const rest = line.slice(this.#column);
    const end = rest.search(/[,[\]{}]|:(?=[\s,[\]{}]|$)|\s#|$/);
    const text = rest.slice(0, end).trimEnd();
    if (text === "") this.#refuse(`a value is missing before ${this.#shown()}`);
    this.#column += end;
    return scalarNode(text, place.line, place.column, this.#findings);
  }

  #blanks() {
    for (;;) {
      const line = this.#lines[this.row];
      if (line === undefined) this.#refuse("a bracket or a brace is left open");
      const rest = line.slice(this.#column);
      const next = rest.search(/\S/);
      const isComment = next !== -1 && rest[next] === "#" && (next > 0 || this.#column === 0);
      if (next !== -1 && !isComment) {
        this.#column += next;
        return;
      }
      this.row++;
      this.#column = 0;
    }
  }

  #place() {
    return { line: this.row + this.#first, column: this.#column + 1 };
  }

  #shown() {
    return `"${visible((this.#lines[this.row] ?? "").slice(this.#column), 20)}"`;
  }

  #refuse(message) {
    const last = Math.min(this.row, this.#lines.length - 1);
    throw new Refusal(last + this.#first, this.#column + 1, message);
  }
}

function closing(line, from, quote) {
  for (let at = from; at < line.length; at++) {
    if (quote === '"' && line[at] === "\\") at++;
    else if (line[at] === quote) {
      if (quote === "'" && line[at + 1] === "'") at++;
      else return at;
    }
  }
  return -1;
}
