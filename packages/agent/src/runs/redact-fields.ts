import type { Redactor } from "@skillwright/runtime";
import { redactFieldsInText } from "./redact-fields-in-text.ts";

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
