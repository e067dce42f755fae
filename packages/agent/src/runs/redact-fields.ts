import { escapeHiddenInJson } from "@skillwright/core/internal";
import { AuditError, type Redactor } from "@skillwright/runtime";
import { findJson, isRecord, withoutThoughts } from "../actions/read-json.ts";
import { canonicalJson } from "../canonical-json.ts";

interface TextRedaction {
  readonly redactor: Redactor;
  /** For the objects that are found. */
  readonly redactObject: (value: object) => unknown;
}

const REDACTED = "[redacted]";

/**
 * A text with JSON in it, as the loop reads it: each object is redacted by its fields and written
 * again, what stands around them as text. So what is read from the record is what was decided, but
 * for its secrets. Undefined for a text without objects.
 */
function redactFieldsInText(
  text: string,
  { redactor, redactObject }: TextRedaction,
): string | undefined {
  if (!text.includes("{")) return undefined;
  const whole = withoutKnownObjects(text, redactor);
  const said = withoutThoughts(whole);
  const { objects } = findJson(said);
  if (objects.length === 0) return undefined;
  const parts = [redactor.redactText(whole.slice(0, whole.length - said.length))];
  let read = 0;
  for (const { value, start, end } of objects) {
    parts.push(redactor.redactText(said.slice(read, start)));
    parts.push(writtenObject(said.slice(start, end), value, redactObject(value)));
    read = end;
  }
  return [...parts, redactor.redactText(said.slice(read))].join("");
}

/** A secret may itself be an object, such as the key of a service. */
function withoutKnownObjects(text: string, { rules }: Redactor): string {
  const [values] = rules.texts;
  if (rules.longestValue === 0 || values === undefined) return text;
  return text.replace(values.expression, (found) => (found.includes("{") ? REDACTED : found));
}

/** As it stands there when nothing of it is left out; then it also holds nothing that was not read. */
function writtenObject(text: string, value: object, redacted: unknown): string {
  const written = canonicalJson(redacted);
  const isWhole = written === canonicalJson(value) && withoutSpace(text) === JSON.stringify(value);
  return isWhole ? text : written;
}

const STRING_OR_SPACE = /"(?:[^"\\]|\\[^])*"|\s+/g;

function withoutSpace(text: string): string {
  return text.replaceAll(STRING_OR_SPACE, (part) => {
    if (!part.startsWith('"')) return "";
    try {
      return JSON.stringify(JSON.parse(part));
    } catch {
      return part;
    }
  });
}

/** What a redactor has to let through in one piece: the instructions of a skill, an answer. */
export const MAX_TEXT = 131_072;

const MAX_ROUNDS = 4;
/** JSON within JSON within JSON; what is deeper is redacted as text. */
const MAX_LEVELS = 3;
const MAX_DEPTH = 16;
const MAX_VALUES = 10_000;

/**
 * Each field by itself, since a redactor bounds what it gives: of a long request the budget would
 * else be cut off with it. What a run is made of must be in its record as a whole. Texts that are
 * JSON, or hold some, are redacted by their fields too. What was redacted stays as it is when it is
 * redacted again.
 */
export function redactFields(data: unknown, redactor: Redactor): unknown {
  const redaction = new FieldRedaction(redactor);
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    return redaction.value(data);
  }
  const fields = Object.entries(data).map(([name, value]) => redaction.field(name, value));
  return Object.assign({}, ...fields) as unknown;
}

/** A text that is no field of anything, in one piece. */
export function redactWhole(text: string, redactor: Redactor): string {
  return new FieldRedaction(redactor).text(text) ?? redactor.redactText(text);
}

class FieldRedaction {
  readonly #redactor: Redactor;
  #level = 0;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  field(name: string, value: unknown): unknown {
    const text = typeof value === "string" ? this.text(value) : undefined;
    const isOpen = () => {
      const shown = this.#redactor.redact({ [name]: "" }) as Readonly<Record<string, unknown>>;
      return shown[name] === "";
    };
    return text !== undefined && text.length <= MAX_TEXT && isOpen()
      ? { [name]: text }
      : this.value({ [name]: value });
  }

  /** Until nothing changes any more. */
  value(value: unknown): unknown {
    let redacted = this.#once(value);
    if (isUnchanged(value, redacted)) return redacted;
    for (let round = 1; round < MAX_ROUNDS; round++) {
      const again = this.#once(redacted);
      if (isSame(redacted, again)) break;
      redacted = again;
    }
    return redacted;
  }

  /** Undefined for a text without JSON. */
  text(text: string): string | undefined {
    if (this.#level >= MAX_LEVELS) return undefined;
    this.#level++;
    try {
      // As deep as the input of a native call stands in a record, so that the same is cut of both.
      const redactObject = (value: object) => (this.value([[[value]]]) as [[[unknown]]])[0][0][0];
      return redactFieldsInText(text, { redactor: this.#redactor, redactObject });
    } finally {
      this.#level--;
    }
  }

  #once(value: unknown): unknown {
    let left = MAX_VALUES;
    /** The same value with its texts redacted that hold JSON. What is no plain data stays. */
    const withTexts = (item: unknown, depth: number): unknown => {
      if (depth > MAX_DEPTH || left-- <= 0) return item;
      if (typeof item === "string") return this.text(item) ?? item;
      if (Array.isArray(item)) return item.map((one) => withTexts(one, depth + 1));
      if (!isPlain(item)) return item;
      const entries = Object.entries(item);
      return Object.fromEntries(entries.map(([key, one]) => [key, withTexts(one, depth + 1)]));
    };
    try {
      return this.#redactor.redact(withTexts(value, 0));
    } catch {
      // A getter of it throws, which a redactor knows how to bear.
      return this.#redactor.redact(value);
    }
  }
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether redaction left a value as it is. */
export function isUnchanged(value: unknown, redacted: unknown): boolean {
  try {
    return isSame(value, redacted);
  } catch {
    // A getter of the value throws.
    return false;
  }
}

/** Whether nothing was left out of a value. Walks the redacted one, which has bounds. */
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

/** A line of a record has at most 1 MiB; what is longer would be cut, and the run is made of it. */
const MAX_BYTES = 1_000_000;
/** No character takes more bytes once it is written. */
const MAX_BYTES_OF_CHARACTER = 6;

/** Throws before an event is written that would not be in the record as a whole. */
export function requireRoom(event: string, data: object): void {
  const text = JSON.stringify(data);
  if (text.length > MAX_TEXT) {
    for (const [field, value] of Object.entries(data)) requireField(`${event}.${field}`, value);
  }
  if (text.length * MAX_BYTES_OF_CHARACTER <= MAX_BYTES) return;
  const bytes = bytesOf(text);
  if (bytes <= MAX_BYTES) return;
  throw tooLarge(`${event} has ${bytes} bytes`);
}

/** What a value takes in a record. */
export function recordedBytes(value: unknown): number {
  return bytesOf(JSON.stringify(value));
}

function bytesOf(json: string): number {
  // What a record escapes, though JSON would not, and a little more.
  const escaped = escapeHiddenInJson(json.replaceAll(/[\u2000-\u206f\ufeff]/g, "\\u0000"));
  return Buffer.byteLength(escaped);
}

/** What a redactor would cut. */
function requireField(name: string, value: unknown): void {
  const { length } = typeof value === "string" ? value : JSON.stringify(value ?? null);
  if (length > MAX_TEXT) throw tooLarge(`${name} has ${length} characters`);
}

function tooLarge(what: string): AuditError {
  return new AuditError("audit-unwritable", `${what}, too large to be recorded`, {
    hint: "Use a shorter request, or fewer and smaller tools and skills.",
  });
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
