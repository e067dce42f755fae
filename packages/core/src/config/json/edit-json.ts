import { isDeepStrictEqual } from "node:util";
import stripJsonComments from "strip-json-comments";
import { parseCommentedJson, plainJson } from "./parse-commented-json.ts";
import { type JsonNode, scanJson } from "./scan-json.ts";

/** How a file is laid out: one step of indentation, and its line ends. */
interface Layout {
  readonly unit: string;
  readonly newline: string;
}

/**
 * The text with `value` at the path, everything else as it was: comments, order, indentation.
 * Undefined where that cannot be done by putting one piece of text in; the result was read back.
 */
export function editJson(
  text: string,
  keys: readonly string[],
  value: unknown,
): string | undefined {
  const source = text.trim() === "" ? "{}\n" : text;
  const scan = scanJson(plainJson(source));
  const before = parseCommentedJson(source);
  if (!scan.ok || !before.ok) return undefined;
  const edited = editNode(source, scan.node, keys, value);
  if (edited === undefined) return undefined;
  const after = parseCommentedJson(edited);
  const meant = withValue(before.value, keys, value);
  return after.ok && isDeepStrictEqual(after.value, meant) ? edited : undefined;
}

/** A copy of an object with `value` at the path; undefined where a step is no object. */
export function withValue(content: unknown, keys: readonly string[], value: unknown): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (content !== undefined && !isObject(content)) return undefined;
  const inner = withValue(content?.[key], rest, value);
  return inner === undefined ? undefined : { ...content, [key]: inner };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function editNode(
  text: string,
  node: JsonNode,
  [key, ...rest]: readonly string[],
  value: unknown,
): string | undefined {
  if (key === undefined) return replaceNode(text, node, value);
  if (node.members === undefined) return undefined;
  // Of two members with one key, the last one counts.
  const member = node.members.findLast((member) => member.key === key);
  if (member !== undefined) return editNode(text, member.value, rest, value);
  const nested = rest.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return insertMember(text, node, key, nested);
}

function replaceNode(text: string, { start, end }: JsonNode, value: unknown): string | undefined {
  const hasComments = plainJson(text).slice(start, end) !== text.slice(start, end);
  if (hasComments) return undefined;
  const piece = formatValue(value, indentAt(text, start), layoutOf(text));
  return splice(text, start, end, piece);
}

function insertMember(
  text: string,
  { start, end, members = [] }: JsonNode,
  key: string,
  value: unknown,
): string {
  const layout = layoutOf(text);
  const { unit, newline } = layout;
  const outer = indentAt(text, start);
  const last = members.at(-1);
  const indent = last === undefined ? outer + unit : indentAt(text, last.start);
  const member = `${JSON.stringify(key)}: ${formatValue(value, indent, layout)}`;
  if (last === undefined) {
    const inner = text.slice(start + 1, end - 1);
    const closing = inner.trim() === "" ? newline + outer : inner;
    return splice(text, start + 1, end - 1, newline + indent + member + closing);
  }
  const from = last.value.end;
  if (!text.slice(start, last.start).includes("\n")) return splice(text, from, from, `, ${member}`);
  // The comma goes to the value, the member below what may be a comment on the value's line.
  const tail = stripJsonComments(text).slice(from, end - 1);
  const hasComma = tail.includes(",");
  const lineEnd = tail.search(/\r?\n/);
  const at = from + (lineEnd === -1 ? tail.length : lineEnd);
  const below = splice(text, at, at, newline + indent + member + (hasComma ? "," : ""));
  return hasComma ? below : splice(below, from, from, ",");
}

function splice(text: string, start: number, end: number, piece: string): string {
  return text.slice(0, start) + piece + text.slice(end);
}

/** The blanks at the start of the line that holds this offset. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function layoutOf(text: string): Layout {
  const unit = /^(?:\t| +)(?=")/m.exec(text)?.[0] ?? "  ";
  return { unit, newline: text.includes("\r\n") ? "\r\n" : "\n" };
}

/** Lists of plain values stay on one line. */
function formatValue(value: unknown, indent: string, layout: Layout): string {
  const { unit, newline } = layout;
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) {
    return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
  }
  if (!isObject(value) || Object.keys(value).length === 0) return JSON.stringify(value);
  const inner = indent + unit;
  const members = Object.entries(value).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${formatValue(item, inner, layout)}`,
  );
  return `{${newline}${members.join(`,${newline}`)}${newline}${indent}}`;
}
