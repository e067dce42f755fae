import { existsSync } from "node:fs";
import { dirname, isAbsolute, parse } from "node:path";

const MIN_SECRET = 4;
const MIN_WORD = 8;
/** Of a text of many words, only what is too long to be one. */
const MIN_PART = 20;
/** What settings often hold and everybody knows. */
const KNOWN = new Set([
  "127.0.0.1",
  "application/json",
  "development",
  "localhost",
  "postgres",
  "production",
  "text/event-stream",
]);

/** What of these values must not be seen: all that may be a key, or a part of one that is sent. */
export function secretsIn(values: readonly string[]): readonly string[] {
  const all = values.flatMap((value) => [value.trim(), ...partsOf(value.trim())]);
  return [...new Set(all)].filter(isSecret);
}

/** `Bearer key`, the lines of a certificate, the password of an address. */
function partsOf(value: string): string[] {
  const [, ...parts] = value.split(/\s+/);
  const keys = parts.length === 1 ? parts : parts.filter(({ length }) => length >= MIN_PART);
  const password = URL.canParse(value) ? new URL(value).password : "";
  return [...keys, password, decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Hiding what is none would take words, paths and addresses out of all that a server says. */
function isSecret(value: string): boolean {
  if (value.length < MIN_SECRET || KNOWN.has(value)) return false;
  if (value.length < MIN_WORD) return /\p{L}/u.test(value) && /\d/.test(value);
  return !isPlace(value) && !isSite(value);
}

/** A path here, or one that could be made in a folder that is here. */
function isPlace(value: string): boolean {
  if (!isAbsolute(value)) return false;
  const parent = dirname(value);
  return existsSync(value) || (parent !== parse(value).root && existsSync(parent));
}

/** An address without anything behind its host. */
function isSite(value: string): boolean {
  return /^https?:\/\/[^/@?#]+\/?$/i.test(value);
}
