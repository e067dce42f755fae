import { Refusal } from "./refusal.mjs";
import { scalarNode } from "./yaml-scalar.mjs";
import { YamlFlow } from "./yaml-flow.mjs";
import { visible } from "./visible.mjs";

const MAX_DEPTH = 200;
const KEY =
  /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#&*!|>%@`"'[\]{},?:-](?:[^#\n]|(?<=\S)#)*?|[?:-](?=[^\s])(?:[^#\n]|(?<=\S)#)*?)(?=\s*:(?:\s|$))/;

/**
 * The usual part of YAML as nodes like those of `readJson`: block and flow collections, all kinds of
 * scalars, comments, one document. What is beyond it is refused with its line, never guessed.
 */
export function readYaml(text, findings, firstLine = 1) {
  const reader = new BlockReader(text, findings, firstLine);
  try {
    return reader.document();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    findings.error(error.line, error.column, error.message);
    // It may well be YAML, only not the part that is read here.
    findings.isUnread = error.message.endsWith("not supported");
    return undefined;
  }
}

class BlockReader {
  #findings;
  #first;
  #raw;
  #at = 0;

  constructor(text, findings, firstLine) {
    this.#findings = findings;
    this.#first = firstLine;
    this.#raw = text.split(/\r?\n/);
  }

  document() {
    this.#skipBlank();
    if (this.#line?.startsWith("%")) this.#refuse(1, "directives (%) are not supported");
    if (/^---(?:\s|$)/.test(this.#line ?? "")) {
      if (!/^---\s*(?:#.*)?$/.test(this.#line))
        this.#refuse(4, "a value beside --- is not supported");
      this.#at++;
    }
    this.#skipBlank();
    const node = this.#isEnd ? this.#nothing() : this.#block(-1, 0);
    this.#skipBlank();
    if (/^\.\.\.\s*$/.test(this.#line ?? "")) this.#at++;
    this.#skipBlank();
    if (/^---(?:\s|$)/.test(this.#line ?? ""))
      this.#refuse(1, "a second document is not supported");
    if (this.#line !== undefined)
      this.#refuse(
        indentOf(this.#line) + 1,
        "this line does not belong to what is above it: is it indented as meant?",
      );
    return node;
  }

  get #line() {
    return this.#raw[this.#at];
  }

  get #isEnd() {
    return this.#line === undefined || /^(?:---|\.\.\.)(?:\s|$)/.test(this.#line);
  }

  /** A value whose lines are indented more than `parent`. */
  #block(parent, depth) {
    this.#skipBlank();
    if (depth > MAX_DEPTH) this.#refuse(1, `more than ${MAX_DEPTH} levels`);
    if (this.#isEnd) return this.#nothing();
    const indent = indentOf(this.#line);
    if (indent <= parent) return this.#nothing();
    const rest = this.#line.slice(indent);
    if (/^-(?:\s|$)/.test(rest)) return this.#sequence(indent, depth);
    if (/^\?(?:\s|$)/.test(rest)) this.#refuse(indent + 1, "keys after ? are not supported");
    if (KEY.test(rest)) return this.#mapping(indent, depth);
    return this.#inline(indent, parent);
  }

  #sequence(indent, depth) {
    const node = { type: "array", items: [], ...this.#place(indent) };
    while (!this.#isEnd && indentOf(this.#line) === indent && /^\s*-(?:\s|$)/.test(this.#line)) {
      const inner = /^-(\s*)(.*)$/.exec(this.#line.slice(indent));
      if (inner[2] === "" || inner[2].startsWith("#")) {
        this.#at++;
        node.items.push(this.#block(indent, depth + 1));
      } else {
        if (inner[1].includes("\t")) this.#refuse(indent + 2, "a tab after - is not supported");
        // The rest of the line stands where it stands, as if the mark were a blank.
        this.#raw[this.#at] = `${" ".repeat(indent + 1)}${this.#line.slice(indent + 1)}`;
        node.items.push(this.#block(indent, depth + 1));
      }
      this.#skipBlank();
    }
    this.#checkIndent(indent);
    return node;
  }

  #mapping(indent, depth) {
    const node = { type: "object", entries: [], ...this.#place(indent) };
    const seen = new Map();
    while (!this.#isEnd && indentOf(this.#line) === indent) {
      const rest = this.#line.slice(indent);
      const raw = KEY.exec(rest)?.[0];
      if (raw === undefined && /^[:?](?:\s|$)/.test(rest)) {
        this.#refuse(indent + 1, `a line that begins with ${rest[0]} is not supported`);
      }
      if (raw === undefined)
        this.#refuse(indent + 1, `a key with a colon is expected here, not ${show(rest)}`);
      const { line, column } = this.#place(indent);
      const keyNode = scalarNode(raw, line, column, undefined);
      const key = String(keyNode.value);
      if (raw === "<<") this.#refuse(indent + 1, "merge keys (<<) are not supported");
      if (seen.has(key)) {
        this.#findings.error(
          line,
          column,
          `the key "${visible(key)}" is repeated, first in line ${seen.get(key)}`,
        );
      } else seen.set(key, line);
      const at = indent + rest.indexOf(":", raw.length) + 1;
      node.entries.push({ key, line, column, node: this.#valueAt(at, indent, depth) });
      this.#skipBlank();
    }
    this.#checkIndent(indent);
    return node;
  }

  /** What stands after the colon, or below it. */
  #valueAt(at, indent, depth) {
    const after = this.#line.slice(at);
    const start = at + after.search(/\S|$/);
    const rest = this.#line.slice(start);
    if (rest !== "" && !rest.startsWith("#")) return this.#inline(start, indent);
    this.#at++;
    this.#skipBlank();
    // A list may stand as far left as its key.
    const isList =
      !this.#isEnd && indentOf(this.#line) === indent && /^\s*-(?:\s|$)/.test(this.#line);
    return isList ? this.#sequence(indent, depth + 1) : this.#block(indent, depth + 1);
  }

  /** A value that begins within a line. */
  #inline(start, parent) {
    const rest = this.#line.slice(start);
    const { line, column } = this.#place(start);
    const refused = { "&": "anchors (&)", "*": "aliases (*)", "!": "tags (!)" }[rest[0]];
    if (refused !== undefined) this.#refuse(start + 1, `${refused} are not supported`);
    if (/^[%@`]/.test(rest))
      this.#refuse(start + 1, `a value cannot begin with ${rest[0]}; put it in quotes`);
    if (/^[,\]}]|^[-?:](?:\s|$)/.test(rest)) {
      const isList = rest.startsWith("-");
      this.#refuse(
        start + 1,
        isList
          ? "a list begins on a line of its own"
          : `a value that begins with ${rest[0]} is not supported`,
      );
    }
    if (/^[|>]/.test(rest)) return this.#blockScalar(rest, parent, line, column);
    if (/^["'[{]/.test(rest)) return this.#flow(start, parent);
    return this.#plain(rest, parent, line, column);
  }

  #flow(start, parent) {
    const flow = new YamlFlow(this.#raw, this.#at, start, this.#first, this.#findings, parent);
    const node = flow.value(0);
    const after = flow.rest();
    if (after.text !== "") {
      throw new Refusal(
        after.line,
        after.column,
        `${show(after.text)} comes after the end of the value`,
      );
    }
    this.#at = flow.row + 1;
    return node;
  }

  #plain(rest, parent, line, column) {
    const words = [withoutComment(rest)];
    // After a comment the text does not go on.
    let isOver = /\s#/.test(rest);
    this.#checkPlain(words[0], column);
    this.#at++;
    for (;;) {
      const from = this.#at;
      let blanks = 0;
      while (this.#line !== undefined && this.#line.trim() === "") {
        this.#at++;
        blanks++;
      }
      const isMore = !this.#isEnd && indentOf(this.#line) > parent && !/^\s*#/.test(this.#line);
      if (!isMore || isOver) {
        this.#at = from;
        break;
      }
      const indent = indentOf(this.#line);
      const next = withoutComment(this.#line.slice(indent));
      isOver = /\s#/.test(this.#line);
      this.#checkPlain(next, indent + 1);
      words.push(blanks > 0 ? "\n".repeat(blanks) : " ", next);
      this.#at++;
    }
    return scalarNode(words.join(""), line, column, this.#findings);
  }

  #checkPlain(text, column) {
    if (/:(?:\s|$)/.test(text)) {
      const at = column + text.search(/:(?:\s|$)/);
      this.#refuse(
        at,
        "a colon inside of a plain value: put the value in quotes, or mend the indentation",
      );
    }
  }

  #blockScalar(rest, parent, line, column) {
    const head = /^([|>])(?:([+-]?)([1-9]?)|([1-9])([+-]))(?:\s+#.*|\s*)$/.exec(rest);
    if (head === null) this.#refuse(column, `${show(rest)} is not a valid block scalar header`);
    const [, style, keepA, givenA, givenB, keepB] = head;
    const given = givenA || givenB || "";
    this.#at++;
    const body = [];
    let indent = given === "" ? undefined : Math.max(parent, 0) + Number(given);
    while (this.#line !== undefined) {
      const isBlank = this.#line.trim() === "";
      if (!isBlank) {
        indent ??= indentOf(this.#line, false);
        if (indent <= parent || indentOf(this.#line, false) < indent) break;
      }
      // Blanks beyond the indentation belong to the text.
      body.push(isBlank && indent === undefined ? "" : this.#line.slice(indent));
      this.#at++;
    }
    const end = /\n*$/.exec(body.join("\n"))[0].length;
    const text = body.slice(0, body.length - end);
    const value = style === "|" ? text.join("\n") : folded(text);
    const keep = keepA || keepB;
    const tail =
      value === "" && keep !== "+"
        ? ""
        : keep === "-"
          ? ""
          : keep === "+"
            ? "\n".repeat(end + 1)
            : "\n";
    return { type: "string", value: value + tail, line, column };
  }

  #checkIndent(indent) {
    if (this.#isEnd || indentOf(this.#line) < indent) return;
    if (indentOf(this.#line) === indent) return;
    this.#refuse(indentOf(this.#line) + 1, "this line is indented more than what it belongs to");
  }

  #skipBlank() {
    while (this.#line !== undefined && /^\s*(?:#.*)?$/.test(this.#line)) this.#at++;
    const tab = /^ *\t/.exec(this.#line ?? "")?.[0];
    if (tab !== undefined)
      this.#refuse(tab.length, "a tab in the indentation: YAML allows only blanks");
  }

  #nothing() {
    const { line } = this.#place(0);
    const [last] = [Math.min(line, this.#first + Math.max(0, this.#raw.length - 1))];
    return { type: "null", value: null, line: last, column: 1 };
  }

  #place(indent) {
    return { line: this.#at + this.#first, column: indent + 1 };
  }

  #refuse(column, message) {
    throw new Refusal(this.#at + this.#first, column, message);
  }
}

function indentOf(line) {
  return line.search(/[^ ]|$/);
}

function withoutComment(text) {
  const at = text.search(/\s#/);
  return (at === -1 ? text : text.slice(0, at)).trimEnd();
}

/** Line ends become blanks, but not around empty and further indented lines. */
function folded(lines) {
  let text = "";
  let breaks = 0;
  let wasFlat = false;
  for (const line of lines) {
    if (line === "") {
      breaks++;
      continue;
    }
    const isFlat = !/^[ \t]/.test(line);
    const hasText = text !== "";
    const isFolded = isFlat && wasFlat;
    if (!hasText) text += "\n".repeat(breaks);
    else if (isFolded) text += breaks === 0 ? " " : "\n".repeat(breaks);
    else text += "\n".repeat(breaks + 1);
    text += line;
    [breaks, wasFlat] = [0, isFlat];
  }
  return text;
}

function show(text) {
  return `"${visible(text, 30)}"`;
}
