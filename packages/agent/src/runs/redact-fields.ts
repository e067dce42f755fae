import { escapeHiddenInJson } from "@skillwright/core/internal";
import { AuditError, type Redactor } from "@skillwright/runtime";
import { canonicalJson, findJson, isRecord, withoutThoughts } from "../actions/read-json.ts";
import type { ContextEntry } from "../events/run-event.ts";

/** The longest text that a redactor must not cut: the instructions of a skill, an answer. */
export const MAX_TEXT = 131_072;

const MAX_ROUNDS = 4;
/** JSON within JSON within JSON; deeper levels are redacted as text. */
const MAX_LEVELS = 3;
const MAX_DEPTH = 16;
const MAX_VALUES = 10_000;

/**
 * Data as the record holds it. Fields are redacted one by one, because a redactor bounds its result as a
 * whole. JSON within texts is redacted by its fields too. Redacting the result again changes nothing.
 */
export function redactFields(data: unknown, redactor: Redactor): unknown {
  if (!isRecord(data)) return redactUntilStable(data, redactor, 0);
  const fields = Object.entries(data).map(([name, value]) => {
    const text = typeof value === "string" ? redactJsonText(value, redactor, 0) : undefined;
    const isOpen = () => (redactor.redact({ [name]: "" }) as typeof data)[name] === "";
    return text !== undefined && text.length <= MAX_TEXT && isOpen()
      ? { [name]: text }
      : redactUntilStable({ [name]: value }, redactor, 0);
  });
  return Object.assign({}, ...fields) as unknown;
}

/** A text that is not a field of anything. */
export function redactWhole(text: string, redactor: Redactor): string {
  return redactJsonText(text, redactor, 0) ?? redactor.redactText(text);
}

function redactUntilStable(value: unknown, redactor: Redactor, level: number): unknown {
  let before = value;
  let redacted = redactOnce(value, redactor, level);
  for (let round = 1; round < MAX_ROUNDS && !isUnchanged(before, redacted); round++) {
    before = redacted;
    redacted = redactOnce(before, redactor, level);
  }
  return redacted;
}

function redactOnce(value: unknown, redactor: Redactor, level: number): unknown {
  let left = MAX_VALUES;
  const withTexts = (item: unknown, depth: number): unknown => {
    if (depth > MAX_DEPTH || left-- <= 0) return item;
    if (typeof item === "string") return redactJsonText(item, redactor, level) ?? item;
    if (Array.isArray(item)) return item.map((one) => withTexts(one, depth + 1));
    if (!isPlain(item)) return item;
    const entries = Object.entries(item);
    return Object.fromEntries(entries.map(([key, one]) => [key, withTexts(one, depth + 1)]));
  };
  try {
    return redactor.redact(withTexts(value, 0));
  } catch {
    // A getter throws; a redactor can handle that.
    return redactor.redact(value);
  }
}

/**
 * Redacts the JSON objects in a text by their fields and the rest as text, so that reading the result gives
 * the decision without its secrets. Undefined for a text without objects.
 */
function redactJsonText(text: string, redactor: Redactor, level: number): string | undefined {
  if (level >= MAX_LEVELS || !text.includes("{")) return undefined;
  const whole = withoutKnownObjects(text, redactor);
  const said = withoutThoughts(whole);
  const { objects } = findJson(said);
  if (objects.length === 0) return undefined;
  const parts = [redactor.redactText(whole.slice(0, whole.length - said.length))];
  let read = 0;
  for (const { value, start, end } of objects) {
    // As deep as the input of a native call is in a record, so that the same is cut of both.
    const [[[redacted]]] = redactUntilStable([[[value]]], redactor, level + 1) as [[[unknown]]];
    const written = canonicalJson(redacted);
    const source = said.slice(start, end);
    // Unchanged, and nothing was skipped when it was parsed, such as comments or repeated names.
    const isWhole =
      written === canonicalJson(value) && withoutSpace(source) === JSON.stringify(value);
    parts.push(redactor.redactText(said.slice(read, start)), isWhole ? source : written);
    read = end;
  }
  return [...parts, redactor.redactText(said.slice(read))].join("");
}

/** A secret may itself be an object, such as the key of a service. */
function withoutKnownObjects(text: string, { rules }: Redactor): string {
  const [values] = rules.texts;
  if (rules.longestValue === 0 || values === undefined) return text;
  return text.replace(values.expression, (found) => (found.includes("{") ? "[redacted]" : found));
}

const STRING_OR_SPACE = /"(?:[^"\\]|\\[^])*"|\s+/g;

function withoutSpace(json: string): string {
  return json.replaceAll(STRING_OR_SPACE, (part) => {
    if (!part.startsWith('"')) return "";
    try {
      return JSON.stringify(JSON.parse(part));
    } catch {
      return part;
    }
  });
}

function isPlain(value: unknown): value is object {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether redaction left a value as it is. Walks the redacted one, which has bounds. */
export function isUnchanged(value: unknown, redacted: unknown): boolean {
  try {
    return isSame(value, redacted);
  } catch {
    // A getter of the value throws.
    return false;
  }
}

function isSame(value: unknown, redacted: unknown): boolean {
  if (value === redacted) return true;
  if (Array.isArray(redacted)) {
    if (!Array.isArray(value) || value.length !== redacted.length) return false;
    return redacted.every((item, index) => isSame(value[index], item));
  }
  if (!isPlain(redacted) || !isPlain(value)) return false;
  const given = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  const fields = Object.entries(redacted);
  return (
    fields.length === names.length && fields.every(([name, item]) => isSame(given[name], item))
  );
}

/** A line of a record has at most 1 MiB. */
const MAX_BYTES = 1_000_000;

/** Throws for an event that the record would cut: the run has to be made from its record. */
export function requireRoom(event: string, data: object, text: string): void {
  if (text.length <= MAX_TEXT) return;
  const bytes = bytesOf(text);
  if (bytes > MAX_BYTES) throw tooLarge(`${event} has ${bytes} bytes`);
  for (const [field, value] of Object.entries(data)) {
    const { length } = typeof value === "string" ? value : JSON.stringify(value ?? null);
    if (length > MAX_TEXT) throw tooLarge(`${event}.${field} has ${length} characters`);
  }
}

/** What a value takes in a record. */
export function recordedBytes(value: unknown): number {
  return bytesOf(JSON.stringify(value));
}

function bytesOf(json: string): number {
  // A little more than a record escapes beyond JSON.
  const escaped = escapeHiddenInJson(json.replaceAll(/[\u2000-\u206f\ufeff]/g, "\\u0000"));
  return Buffer.byteLength(escaped);
}

function tooLarge(what: string): AuditError {
  return new AuditError("audit-unwritable", `${what}, too large to be recorded`, {
    hint: "Use a shorter request, or fewer and smaller tools and skills.",
  });
}

/** The most that a record holds of the instructions of a skill. */
const MAX_INSTRUCTIONS = 100_000;

/**
 * Instructions of a skill can be longer than what a record takes, and the model reads all of them. The
 * record has their beginning, after redaction: half of a secret would not be recognised as one.
 */
export function withShortInstructions(event: string, data: object): object {
  if (event === "skill-activate") {
    const { text } = data as { readonly text: string };
    return text.length <= MAX_INSTRUCTIONS ? data : { ...data, text: beginningOf(text) };
  }
  if (event !== "history-add") return data;
  const { entries } = data as { readonly entries: readonly ContextEntry[] };
  const isLong = ({ kind, message }: ContextEntry) =>
    kind === "skill" && message.content.length > MAX_INSTRUCTIONS;
  if (!entries.some(isLong)) return data;
  const short = entries.map((entry) => {
    const { message } = entry;
    if (!isLong(entry)) return entry;
    return { ...entry, message: { ...message, content: beginningOf(message.content) } };
  });
  return { ...data, entries: short };
}

function beginningOf(instructions: string): string {
  const cut = instructions.lastIndexOf("\n", MAX_INSTRUCTIONS) + 1 || MAX_INSTRUCTIONS;
  const left = instructions.length - cut;
  return `${instructions.slice(0, cut)}[The record leaves out the other ${left} characters. Read SKILL.md in ranges for them.]`;
}

/** Images are kept as files of the run. */
export function withoutImageData(data: object): object {
  const mayHave = "images" in data || "attachments" in data || "entries" in data;
  if (!mayHave) return data;
  return JSON.parse(JSON.stringify(data), (_, value: unknown) => {
    if (!isRecord(value) || !String(value["mediaType"]).startsWith("image/")) return value;
    const { data: _bytes, ...image } = value;
    return image;
  }) as object;
}
