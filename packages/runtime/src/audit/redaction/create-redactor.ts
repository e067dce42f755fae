import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import { applyRules, REDACTED, type Redactor, type TextRule } from "./redactor.ts";
import { MAX_ARGUMENT, redactArguments, secretShapes } from "./secret-shapes.ts";
import { anyOf, isCountName, isSecretName, secretForms } from "./secret-values.ts";

export interface RedactorOptions {
  /** Values of variables whose names look secret are taken out wherever they appear. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** More secrets; those under four characters are not looked for. */
  readonly values?: readonly string[];
  /** Longer strings are cut. Default 16,384 characters. */
  readonly maxStringLength?: number;
}

const MAX_STRING_LENGTH = 16_384;
/** No secret that is looked for is shorter. */
const SHORTEST = 4;
const MAX_ROUNDS = 4;

const OPTIONS: OptionKinds<RedactorOptions> = {
  env: "object",
  values: "strings",
  maxStringLength: "number",
};

export function createRedactor(options: RedactorOptions): Redactor {
  checkOptions("createRedactor", options, OPTIONS, ["env"]);
  const { env, values = [], maxStringLength = MAX_STRING_LENGTH } = options;
  const forms = secretForms(env, values);
  const known = anyOf(forms);
  const texts: readonly TextRule[] = [
    ...(known === undefined ? [] : [{ expression: known, replacement: REDACTED }]),
    ...secretShapes,
  ];
  const redactText = (text: string): string =>
    text.length < SHORTEST ? text : redactWith(texts, text);
  return {
    redactText,
    redact: (value) => new Walk(redactText, maxStringLength).visit(value),
    rules: {
      texts,
      multiline: forms.filter((form) => /[\r\n]/.test(form)),
      longestValue: forms[0]?.length ?? 0,
    },
  };
}

/**
 * Until nothing is found any more: what takes the place of a secret may make another one visible.
 * So a text that was redacted stays as it is, whoever redacts it again.
 */
function redactWith(texts: readonly TextRule[], text: string): string {
  let [before, redacted] = [text, applyRules(texts, text)];
  for (let round = 1; round < MAX_ROUNDS && redacted !== before; round++) {
    [before, redacted] = [redacted, applyRules(texts, redacted)];
  }
  return redacted;
}

interface Position {
  readonly depth: number;
  /** Whether it is below a secret name: then only the shape is kept. */
  readonly isHidden: boolean;
  /** Whether a number here is a count. */
  readonly isCount: boolean;
}

const MAX_DEPTH = 16;
const MAX_VALUES = 10_000;
const MAX_CHARACTERS = 131_072;
const FLAG = /^--?([a-z][\w-]*)$/i;
const NAMING = /^(?:name|key|header)$/i;
const PLACEHOLDER = /^⟦secret:[\w.-]{1,200}⟧$/;
const TOP: Position = { depth: 0, isHidden: false, isCount: false };

/** Turns a value into what JSON can hold. Foreign code may throw or lie; this does not. */
class Walk {
  readonly #redactText: (text: string) => string;
  readonly #maxStringLength: number;
  readonly #ancestors = new Set<object>();
  #values = MAX_VALUES;
  #characters = MAX_CHARACTERS;

  constructor(redactText: (text: string) => string, maxStringLength: number) {
    this.#redactText = redactText;
    this.#maxStringLength = maxStringLength;
  }

  visit(value: unknown, position = TOP): unknown {
    this.#values--;
    if (value === null || value === undefined || typeof value === "boolean") return value ?? null;
    if (typeof value === "object") return this.#visitObject(value, position);
    if (typeof value === "number") return this.#visitNumber(value, position);
    if (position.isHidden) {
      return typeof value === "string" && PLACEHOLDER.test(value) ? value : REDACTED;
    }
    return this.#text(typeof value === "string" ? value : describe(value));
  }

  #text(text: string): string {
    const limit = Math.min(this.#maxStringLength, Math.max(64, this.#characters));
    const result = cutText(this.#redactText(text), limit);
    this.#characters -= result.length;
    return result;
  }

  #visitNumber(value: number, { isHidden, isCount }: Position): unknown {
    if (isHidden && !isCount) return REDACTED;
    const text = String(value);
    const redacted = this.#redactText(text);
    if (redacted !== text || !Number.isFinite(value)) return redacted;
    // JSON knows no negative zero.
    return value === 0 ? 0 : value;
  }

  #visitObject(value: object, position: Position): unknown {
    if (this.#ancestors.has(value)) return "[circular]";
    if (position.depth >= MAX_DEPTH) return "[too deep]";
    if (this.#isFull()) return "[too large]";
    this.#ancestors.add(value);
    try {
      return this.#contents(value, { ...position, depth: position.depth + 1 });
    } catch {
      return "[unreadable]";
    } finally {
      this.#ancestors.delete(value);
    }
  }

  #contents(value: object, position: Position): unknown {
    if (Array.isArray(value)) return this.#list(value, value.length, position);
    if (value instanceof Date) return position.isHidden ? REDACTED : dateText(value);
    if (value instanceof URL || value instanceof RegExp || value instanceof URLSearchParams) {
      return position.isHidden ? REDACTED : this.#text(String(value));
    }
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
      return `[${value.byteLength} bytes]`;
    if (value instanceof Set) return this.#list(value, value.size, position);
    if (value instanceof Map || value instanceof Headers) return this.#fields(value, position);
    if (value instanceof Error) return this.#fields(errorFields(value), position);
    return this.#fields(ownFields(value), position);
  }

  #list(values: Iterable<unknown>, length: number, position: Position): unknown[] {
    const items = this.#some(values);
    const result: unknown[] = [];
    for (const item of redactArguments(items)) {
      if (this.#isFull()) break;
      const name = this.#nameFor(items[result.length - 1], result.length, length);
      result.push(this.visit(item, this.#below(name, position)));
    }
    const left = length - result.length;
    return left > 0 ? [...result, `[${left} more]`] : result;
  }

  /** Takes no more items than can be written: a list may be endless. */
  #some<Item>(values: Iterable<Item>): Item[] {
    const some: Item[] = [];
    let characters = 0;
    for (const value of values) {
      if (some.length > this.#values || characters > this.#characters) break;
      some.push(value);
      if (typeof value === "string" && value.length <= MAX_ARGUMENT) characters += value.length;
    }
    return some;
  }

  #isFull(): boolean {
    return this.#values <= 0 || this.#characters <= 0;
  }

  /** What a value of a list is called: after `--token`, or in a pair of name and value. */
  #nameFor(before: unknown, index: number, length: number): string | undefined {
    if (typeof before !== "string" || before.length > 200) return undefined;
    const flag = FLAG.exec(before)?.[1];
    return flag ?? (length === 2 && index === 1 ? before : undefined);
  }

  #fields(entries: Iterable<[unknown, unknown]>, position: Position): unknown {
    const fields = this.#some(entries);
    // `{ name: "authorization", value: "…" }`, in any order
    const names = fields.flatMap(([key, value]) =>
      typeof key === "string" && NAMING.test(key) && typeof value === "string" ? [value] : [],
    );
    const secretName = names.find(isSecretName);
    const result = new Map<string, unknown>();
    for (const [key, value] of fields) {
      if (this.#isFull()) {
        result.set("[more]", "[too large]");
        break;
      }
      if (value === undefined) continue;
      const name = typeof key === "string" ? key : describe(key);
      const field = this.#freeKey(this.#text(name), result);
      const called = /^values?$/i.test(name) ? (secretName ?? name) : name;
      result.set(field, this.visit(value, this.#below(called, position)));
    }
    return Object.fromEntries(result);
  }

  #below(name: string | undefined, position: Position): Position {
    if (name === undefined || position.isHidden || !isSecretName(name)) return position;
    return { ...position, isHidden: true, isCount: isCountName(name) };
  }

  #freeKey(key: string, taken: ReadonlyMap<string, unknown>): string {
    if (!taken.has(key)) return key;
    let count = 2;
    while (taken.has(`${key} ${count}`)) count++;
    return `${key} ${count}`;
  }
}

function dateText(date: Date): string {
  return Number.isNaN(date.getTime()) ? "[no date]" : date.toISOString();
}

function errorFields(error: Error): [string, unknown][] {
  const { name, message, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return Object.entries({ name, message, code, cause });
}

/** One field at a time, so that what one getter throws does not hide the others. */
function* ownFields(value: object): Generator<[string, unknown]> {
  for (const key of Object.keys(value)) {
    let field: unknown;
    try {
      field = (value as Readonly<Record<string, unknown>>)[key];
    } catch {
      field = "[unreadable]";
    }
    yield [key, field];
  }
}

function describe(value: unknown): string {
  if (typeof value === "function") return `[function ${value.name}]`;
  if (typeof value === "symbol") return `[${String(value)}]`;
  if (typeof value === "object" && value !== null) return "[object]";
  return String(value);
}

const NOTE = /… \[cut: \d{1,16} characters, sha256:[0-9a-f]{64}\]$/;
const MAX_NOTE = 120;

/** The beginning of a text that is too long, with the length and digest of all of it. */
function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // It was cut before, and is to stay what it was then.
  if (text.length <= maxLength + MAX_NOTE && NOTE.test(text.slice(-MAX_NOTE))) return text;
  const digest = createHash("sha256").update(text).digest("hex");
  const isPair = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1));
  const start = text.slice(0, isPair ? maxLength - 1 : maxLength);
  return `${start}… [cut: ${text.length} characters, sha256:${digest}]`;
}
