import { canonicalJson as canonical, isNestedDeeper } from "@skillwright/core/internal";

type JsonObject = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export interface FoundJson {
  readonly objects: readonly FoundObject[];
  /** Texts that look like objects but cannot be read, or were not tried any more. */
  readonly broken: readonly string[];
}

interface FoundObject {
  readonly value: JsonObject;
  /** Offsets of its first character and behind its last. */
  readonly start: number;
  readonly end: number;
}

const MAX_TRIES = 20;
const MAX_LENGTH = 1_000_000;
/** What is nested deeper could be read, but not written again. */
const MAX_DEPTH = 64;

/** Canonical JSON of any value that JSON can write, such as the input of a call. */
export function canonicalJson(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  // A record cuts what is nested deeper.
  return isNestedDeeper(text, MAX_DEPTH) ? text : canonical(JSON.parse(text));
}

/** Drops what a model says to itself before its answer, even without a closing tag. */
export function withoutThoughts(text: string): string {
  return text.replace(/^(?:\s*<think(?:ing)?>[^]*?(?:<\/think(?:ing)?>|$))+/i, "");
}

/** The first JSON object in a text. */
export function readJson(text: string): JsonObject | undefined {
  return findJson(text).objects[0]?.value;
}

/**
 * The JSON objects in a text, with small slips corrected. An object within another one never counts, even
 * if the outer one cannot be read: it is not what was meant.
 */
export function findJson(text: string): FoundJson {
  const objects: FoundObject[] = [];
  const broken: string[] = [];
  let start = text.indexOf("{");
  for (let tries = 0; start !== -1 && tries < MAX_TRIES; tries++) {
    const end = endOfObject(text, start);
    const isWritten = WRITTEN.test(text.slice(start, start + 200));
    if (end === -1 && isWritten) break;
    const value = end === -1 ? undefined : parse(text.slice(start, end));
    if (value !== undefined) objects.push({ value, start, end });
    else if (isWritten) broken.push(text.slice(start, end));
    start = text.indexOf("{", isWritten ? end : start + 1);
  }
  if (start !== -1) broken.push(text.slice(start));
  return { objects, broken };
}

/** The beginning of an object, unlike `{name}` in prose. */
const WRITTEN = /^\{\s*(?:["'}]|[\w-]+\s*:|\/\/)/;

/** Offset behind the closing brace; -1 when it never closes. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < Math.min(text.length, start + MAX_LENGTH); i++) {
    const character = text[i];
    if (character === '"') {
      i = endOfString(text, i);
      if (i === -1) return -1;
    } else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return i + 1;
  }
  return -1;
}

/** Offset of the closing quote. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === '"') return i;
  }
  return -1;
}

function parse(text: string): JsonObject | undefined {
  if (isNestedDeeper(text, MAX_DEPTH)) return undefined;
  for (const fix of [(whole: string) => whole, withoutSlips]) {
    try {
      const value: unknown = JSON.parse(fix(text), ownKeysOnly);
      if (isRecord(value)) return value;
    } catch {
      // Not JSON as it is, or not even with slips corrected.
    }
  }
  return undefined;
}

/** A key of that name would set the prototype of a copy. */
function ownKeysOnly(key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value;
}

const STRINGS_AND_SLIPS = /"(?:[^"\\]|\\[^])*"|,(?=\s*[}\]])|\/\/[^\n]*|\n/g;

/** Trailing commas and comments go; line breaks inside strings become escapes. */
function withoutSlips(text: string): string {
  return text.replaceAll(STRINGS_AND_SLIPS, (part) => {
    if (part === "\n") return part;
    return part.startsWith('"')
      ? part.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")
      : "";
  });
}
