import { isDeepStrictEqual } from "node:util";
import { isObject } from "./json.ts";

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly line: number; readonly column: number };

/**
 * Parses JSON with comments and trailing commas; a text without a value is an empty object. Errors
 * never quote the text, which may hold secrets. Plain JSON does not load the scanner.
 */
export async function parseJsonc(text: string): Promise<ParsedJson> {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    const document = await readDocument(text);
    if (document.ok) return { ok: true, value: document.value };
    const before = text.slice(0, document.offset).split("\n");
    return { ok: false, line: before.length, column: (before.at(-1) ?? "").length + 1 };
  }
}

/**
 * The text with `value` at the path, or without that member if `value` is undefined. Comments, order
 * and indentation stay. Undefined where that cannot be done; the result was parsed again to make sure.
 */
export async function editJson(
  text: string,
  path: readonly string[],
  value: unknown,
): Promise<string | undefined> {
  const source = text.trim() === "" ? "{}\n" : text;
  const before = await readDocument(source);
  if (!before.ok || before.node === undefined) return undefined;
  const edited =
    value === undefined
      ? removeMember(source, before, path)
      : setValue(source, before, before.node, path, value);
  if (edited === undefined) return undefined;
  const after = await parseJsonc(edited);
  const expected = withValue(before.value, path, value);
  return after.ok && isDeepStrictEqual(after.value, expected) ? edited : undefined;
}

/**
 * A copy of an object with `value` at the path, or without that member if `value` is undefined.
 * Undefined if a step of the path is not an object.
 */
export function withValue(content: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (content !== undefined && !isObject(content)) return undefined;
  const current = content !== undefined && Object.hasOwn(content, key) ? content[key] : undefined;
  if (value === undefined && current === undefined) return content;
  const inner = withValue(current, rest, value);
  if (inner !== undefined) return { ...content, [key]: inner };
  if (value !== undefined || rest.length > 0) return undefined;
  return Object.fromEntries(Object.entries(content ?? {}).filter(([name]) => name !== key));
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Positions in the text; `end` is exclusive. */
interface JsonNode {
  readonly start: number;
  readonly end: number;
  /** Only of an object. */
  readonly members?: readonly JsonMember[];
}

interface JsonMember {
  readonly key: string;
  readonly start: number;
  readonly value: JsonNode;
}

interface Document {
  readonly ok: true;
  readonly tokens: readonly Token[];
  /** Undefined for a text without a value. */
  readonly node: JsonNode | undefined;
  readonly value: unknown;
}

const MAX_DEPTH = 100;
/** The scanner's kinds of tokens: comments and white space, what is not JSON, and the end. */
const [FIRST_TRIVIA, LAST_TRIVIA, UNKNOWN, END] = [12, 15, 16, 17];

async function readDocument(
  text: string,
): Promise<Document | { readonly ok: false; readonly offset: number }> {
  const { default: jsonc } = await import("jsonc-parser/lib/umd/impl/scanner.js");
  const scanner = jsonc.createScanner(text, false);
  const tokens: Token[] = [];
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    const start = scanner.getTokenOffset();
    const error: number = scanner.getTokenError();
    if (kind === UNKNOWN || error !== 0) {
      const tree = readTree(tokens, start);
      return { ok: false, offset: tree.ok ? start : tree.offset };
    }
    const end = start + scanner.getTokenLength();
    const isTrivia = kind >= FIRST_TRIVIA && kind <= LAST_TRIVIA;
    if (!isTrivia) tokens.push({ text: text.slice(start, end), start, end });
  }
  if (tokens.length === 0) return { ok: true, tokens, node: undefined, value: {} };
  const tree = readTree(tokens, text.length);
  if (!tree.ok) return tree;
  const plain = tokens.filter(({ text }, at) => text !== "," || !isClosing(tokens[at + 1]));
  try {
    const value = JSON.parse(plain.map(({ text }) => text).join(" ")) as unknown;
    return { ok: true, tokens, node: tree.node, value };
  } catch {
    return { ok: false, offset: tree.node.start };
  }
}

function isClosing(token: Token | undefined): boolean {
  return token?.text === "}" || token?.text === "]";
}

/** The offset of a failure is that of the first token that cannot be where it is. */
function readTree(
  tokens: readonly Token[],
  length: number,
):
  | { readonly ok: true; readonly node: JsonNode }
  | { readonly ok: false; readonly offset: number } {
  let at = 0;
  const take = (text: string): boolean => tokens[at]?.text === text && ++at > 0;

  const readValue = (depth: number): JsonNode | undefined => {
    const token = tokens[at];
    if (token === undefined || depth > MAX_DEPTH) return undefined;
    const { text, start, end } = token;
    if (text !== "{" && text !== "[") {
      if (/^[}\],:]$/.test(text)) return undefined;
      at++;
      return { start, end };
    }
    at++;
    const members: JsonMember[] = [];
    const close = text === "{" ? "}" : "]";
    while (!take(close)) {
      const key = tokens[at];
      if (text === "{" && (key?.text.startsWith('"') !== true || ++at === 0 || !take(":"))) {
        return undefined;
      }
      const value = readValue(depth + 1);
      if (value === undefined) return undefined;
      if (text === "{" && key !== undefined) {
        members.push({ key: JSON.parse(key.text) as string, start: key.start, value });
      }
      if (!take(",") && tokens[at]?.text !== close) return undefined;
    }
    const last = tokens[at - 1]?.end ?? end;
    return text === "{" ? { start, end: last, members } : { start, end: last };
  };

  const node = readValue(0);
  if (node !== undefined && at === tokens.length) return { ok: true, node };
  return { ok: false, offset: tokens[at]?.start ?? length };
}

function setValue(
  text: string,
  document: Document,
  node: JsonNode,
  [key, ...rest]: readonly string[],
  value: unknown,
): string | undefined {
  if (key === undefined) {
    if (hasComments(text, document, node)) return undefined;
    return splice(text, node.start, node.end, formatValue(value, indentAt(text, node.start), text));
  }
  if (node.members === undefined) return undefined;
  const member = findMember(node, key);
  if (member !== undefined) return setValue(text, document, member.value, rest, value);
  const nested = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  return insertMember(text, document, node, key, nested);
}

/** Of two members with one key, the last one counts. */
function findMember({ members }: JsonNode, key: string): JsonMember | undefined {
  return members?.findLast((member) => member.key === key);
}

function hasComments(text: string, { tokens }: Document, { start, end }: JsonNode): boolean {
  const inside = tokens.filter((token) => token.start >= start && token.end <= end);
  const written = inside.map((token) => token.text).join("");
  return written.replaceAll(/\s/g, "") !== text.slice(start, end).replaceAll(/\s/g, "");
}

function insertMember(
  text: string,
  { tokens }: Document,
  { start, end, members = [] }: JsonNode,
  key: string,
  value: unknown,
): string {
  const newline = newlineOf(text);
  const outer = indentAt(text, start);
  const last = members.at(-1);
  const indent = last === undefined ? outer + unitOf(text) : indentAt(text, last.start);
  const member = `${JSON.stringify(key)}: ${formatValue(value, indent, text)}`;
  if (last === undefined) {
    const inner = text.slice(start + 1, end - 1);
    const closing = inner.trim() === "" ? newline + outer : inner;
    return splice(text, start + 1, end - 1, newline + indent + member + closing);
  }
  const from = last.value.end;
  if (!text.slice(start, last.start).includes("\n")) return splice(text, from, from, `, ${member}`);
  // The comma follows the value. The member goes below, past a comment on the value's line.
  const hasComma = tokens.some((token) => token.start >= from && token.end < end);
  const lineEnd = text.slice(from, end - 1).search(/\r?\n/);
  const at = lineEnd === -1 ? end - 1 : from + lineEnd;
  const below = splice(text, at, at, newline + indent + member + (hasComma ? "," : ""));
  return hasComma ? below : splice(below, from, from, ",");
}

/** Takes out every member of that key, each with one comma. Comments around it stay. */
function removeMember(text: string, document: Document, path: readonly string[]) {
  const key = path.at(-1);
  let parent = document.node;
  for (const step of path.slice(0, -1)) parent = parent && findMember(parent, step)?.value;
  const { tokens } = document;
  const pieces = (parent?.members ?? []).flatMap((member) => {
    if (member.key !== key) return [];
    const { start, value } = member;
    const next = tokens.find((token) => token.start >= value.end);
    const previous = tokens.findLast((token) => token.end <= start);
    const comma = [next, previous].find((token) => token?.text === ",");
    return [{ start, end: value.end }, ...(comma === undefined ? [] : [comma])];
  });
  return pieces
    .toSorted((a, b) => b.start - a.start)
    .reduce((left, { start, end }) => cut(left, start, end), text);
}

/** A line that becomes empty goes as well. */
function cut(text: string, start: number, end: number): string {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = text.indexOf("\n", end);
  const head = text.slice(lineStart, start);
  const tail = lineEnd === -1 ? text.slice(end) : text.slice(end, lineEnd);
  if (lineStart > 0 && lineEnd !== -1 && `${head}${tail}`.trim() === "") {
    return splice(text, lineStart, lineEnd + 1, "");
  }
  const rest = text.slice(end);
  return text.slice(0, start) + (/\s$/.test(head) ? rest.replace(/^[\t ]+/, "") : rest);
}

function splice(text: string, start: number, end: number, piece: string): string {
  return text.slice(0, start) + piece + text.slice(end);
}

/** The blanks at the start of the line that holds this offset. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function unitOf(text: string): string {
  return /^(?:\t| +)(?=")/m.exec(text)?.[0] ?? "  ";
}

function newlineOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** In the layout of the text. Lists of plain values stay on one line. */
function formatValue(value: unknown, indent: string, text: string): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) {
    return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
  }
  if (!isObject(value) || Object.keys(value).length === 0) return JSON.stringify(value);
  const inner = indent + unitOf(text);
  const newline = newlineOf(text);
  const members = Object.entries(value).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${formatValue(item, inner, text)}`,
  );
  return `{${newline}${members.join(`,${newline}`)}${newline}${indent}}`;
}
