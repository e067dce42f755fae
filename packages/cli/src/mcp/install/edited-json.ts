import { isDeepStrictEqual } from "node:util";
import { editJson } from "@skillwright/core";
import { jsonTokens, jsonValue, membersAt } from "./json-tokens.ts";

type Entry = Readonly<Record<string, unknown>>;

const BYTE_ORDER_MARK = "\uFEFF";

/** What says how another server is reached. All else, such as an environment, somebody may have set for ours. */
const ANOTHER_WAY = new Set(["url", "serverUrl", "httpUrl", "headers", "type", "transport"]);

/**
 * The text with these members in the object at the path and no other way to reach a server. All else stays,
 * comments too. Undefined where that cannot be done; the result was read back.
 */
export function editedJson(
  text: string,
  path: readonly string[],
  members: Entry,
): string | undefined {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const before = text.slice(mark.length);
  let edited = withoutOthers(before, path, new Set(Object.keys(members)));
  for (const [key, value] of Object.entries(members)) {
    if (edited !== undefined) edited = editJson(edited, [...path, key], value);
  }
  if (edited === undefined || !isMeant(before, edited, path, members)) return undefined;
  return mark + edited;
}

function withoutOthers(
  text: string,
  path: readonly string[],
  keys: ReadonlySet<string>,
): string | undefined {
  let left = text;
  for (;;) {
    const tokens = jsonTokens(left);
    if (tokens === undefined) return undefined;
    if (jsonValue(tokens) === undefined) return left;
    const other = membersAt(tokens, path)?.find(
      ({ key }) => ANOTHER_WAY.has(key) && !keys.has(key),
    );
    if (other === undefined) return left;
    const { start = 0 } = tokens[other.first] ?? {};
    const { end = start } = tokens[other.last] ?? {};
    const [previous, next] = [tokens[other.first - 1], tokens[other.last + 1]];
    const comma = next?.text === "," ? next : previous?.text === "," ? previous : undefined;
    const pieces: [number, number][] = [[start, end]];
    if (comma !== undefined) pieces.push([comma.start, comma.end]);
    for (const [from, to] of pieces.toSorted(([a], [b]) => b - a)) left = cut(left, from, to);
  }
}

/** A line on which nothing is left goes as well, and so do blanks that would stand twice. */
function cut(text: string, start: number, end: number): string {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = text.indexOf("\n", end);
  const [head, tail] = [text.slice(lineStart, start), text.slice(end, lineEnd)];
  if (lineStart > 0 && lineEnd !== -1 && `${head}${tail}`.trim() === "") {
    return text.slice(0, lineStart) + text.slice(lineEnd + 1);
  }
  const rest = text.slice(end);
  return text.slice(0, start) + (/\s$/.test(head) ? rest.replace(/^[\t ]+/, "") : rest);
}

function isMeant(before: string, after: string, path: readonly string[], entry: Entry): boolean {
  const was = valueOf(before.trim() === "" ? "{}" : before);
  return isDeepStrictEqual(valueOf(after), replaced(was, path, entry));
}

function valueOf(text: string): unknown {
  const tokens = jsonTokens(text);
  return tokens && jsonValue(tokens);
}

function replaced(value: unknown, [key, ...rest]: readonly string[], entry: Entry): unknown {
  const object = (value ?? {}) as Entry;
  if (key === undefined) {
    const kept = Object.entries(object).filter(([name]) => !ANOTHER_WAY.has(name));
    return { ...Object.fromEntries(kept), ...entry };
  }
  return { ...object, [key]: replaced(object[key], rest, entry) };
}
