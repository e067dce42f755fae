import { existsSync } from "node:fs";
import { dirname, isAbsolute, parse } from "node:path";

const HIDDEN = "[redacted]";
const SHORT = 8;

/** The text without these values. Short ones go only where they stand alone, not out of other words. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  if (secrets.length === 0) return text;
  // All at once, so that nothing is looked for in what stands for another; the longest first.
  const parts = secrets.toSorted((a, b) => b.length - a.length).map(patternOf);
  return text.replaceAll(new RegExp(parts.join("|"), "gu"), HIDDEN);
}

/** The same for all texts in a value of JSON, names of its fields too. */
export function hideSecretsIn(value: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0) return value;
  if (typeof value === "string") return hideSecrets(value, secrets);
  if (Array.isArray(value)) return value.map((part) => hideSecretsIn(part, secrets));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(
    ([key, part]) => [hideSecrets(key, secrets), hideSecretsIn(part, secrets)] as const,
  );
  return Object.fromEntries(entries);
}

/** The same for a file, which need not be text. */
export function hideSecretsInBytes(bytes: Uint8Array, secrets: readonly string[]): Uint8Array {
  if (secrets.length === 0) return bytes;
  // One character for each byte: whatever else is in the file comes back as it was.
  const text = Buffer.from(bytes).toString("latin1");
  const written = secrets.map((secret) => Buffer.from(secret).toString("latin1"));
  const rest = hideSecrets(text, written);
  return rest === text ? bytes : Buffer.from(rest, "latin1");
}

export function holdsSecret(text: string, secrets: readonly string[]): boolean {
  return hideSecrets(text, secrets) !== text;
}

function patternOf(secret: string): string {
  const escaped = secret.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return secret.length < SHORT
    ? String.raw`(?<![\p{L}\p{N}_])${escaped}(?![\p{L}\p{N}_])`
    : escaped;
}

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
