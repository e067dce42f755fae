import { cutText } from "./cut-text.ts";
import { ArgumentList } from "./password-options.ts";
import { REDACTED } from "./redactor.ts";
import { isCountName } from "./secret-names.ts";

export interface RedactValueOptions {
  readonly redactText: (text: string) => string;
  /** The same for names of fields, which come again and again. */
  readonly redactName: (name: string) => string;
  readonly isSecret: (name: string) => boolean;
  readonly maxStringLength: number;
}

const MAX_DEPTH = 16;
const MAX_VALUES = 10_000;
const MAX_CHARACTERS = 131_072;
const MAX_ARGUMENT = 4096;
const FLAG = /^--?([a-z][\w-]*)$/i;

/** The value as JSON can hold it. Foreign code may throw or lie; this does not. */
export function redactValue(value: unknown, options: RedactValueOptions): unknown {
  return new Walk(options).visit(value, { depth: 0, isHidden: false, isCount: false });
}

/** What stands for a known secret, and nothing else. */
function isPlaceholder(value: unknown): boolean {
  return typeof value === "string" && /^⟦secret:[\w.-]{1,200}⟧$/.test(value);
}

interface Position {
  readonly depth: number;
  /** Whether it stands below a secret name: then only the shape is kept. */
  readonly isHidden: boolean;
  /** Whether a number here is a count. */
  readonly isCount: boolean;
}

class Walk {
  readonly #options: RedactValueOptions;
  readonly #ancestors = new Set<object>();
  #values = MAX_VALUES;
  #characters = MAX_CHARACTERS;

  constructor(options: RedactValueOptions) {
    this.#options = options;
  }

  visit(value: unknown, position: Position): unknown {
    this.#values--;
    if (value === null || value === undefined || typeof value === "boolean") return value ?? null;
    if (typeof value === "object") return this.#visitObject(value, position);
    if (typeof value === "number") return this.#visitNumber(value, position);
    if (position.isHidden) return isPlaceholder(value) ? value : REDACTED;
    return this.text(typeof value === "string" ? value : describe(value));
  }

  text(text: string): string {
    return this.#cut(this.#options.redactText(text));
  }

  #cut(redacted: string): string {
    const limit = Math.min(this.#options.maxStringLength, Math.max(64, this.#characters));
    const result = cutText(redacted, limit);
    this.#characters -= result.length;
    return result;
  }

  #visitNumber(value: number, { isHidden, isCount }: Position): unknown {
    if (isHidden && !isCount) return REDACTED;
    const text = String(value);
    const redacted = this.#options.redactText(text);
    if (redacted !== text || !Number.isFinite(value)) return redacted;
    // JSON knows no negative zero.
    return value === 0 ? 0 : value;
  }

  #visitObject(value: object, position: Position): unknown {
    if (this.#ancestors.has(value)) return "[circular]";
    if (position.depth >= MAX_DEPTH) return "[too deep]";
    if (this.#values <= 0 || this.#characters <= 0) return "[too large]";
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
      return position.isHidden ? REDACTED : this.text(String(value));
    }
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    if (value instanceof Set) return this.#list(value, value.size, position);
    if (value instanceof Map || value instanceof Headers) return this.#fields(value, position);
    if (value instanceof Error) return this.#fields(errorFields(value), position);
    return this.#fields(ownFields(value), position);
  }

  #list(values: Iterable<unknown>, length: number, position: Position): unknown[] {
    const result: unknown[] = [];
    const argv = new ArgumentList();
    let name: string | undefined;
    for (const value of values) {
      if (this.#values <= 0 || this.#characters <= 0) {
        result.push(`[${length - result.length} more]`);
        break;
      }
      const isText = typeof value === "string" && value.length <= MAX_ARGUMENT;
      const item = (isText ? argv.redact(value) : undefined) ?? value;
      result.push(this.visit(item, this.#below(name, position)));
      name = this.#nameFor(value, result.length, length);
    }
    return result;
  }

  /** What the next value of a list is called: after `--token`, or in a pair of name and value. */
  #nameFor(value: unknown, index: number, length: number): string | undefined {
    if (typeof value !== "string" || value.length > 200) return undefined;
    const flag = FLAG.exec(value)?.[1];
    return flag ?? (length === 2 && index === 1 ? value : undefined);
  }

  #fields(entries: Iterable<[unknown, unknown]>, position: Position): unknown {
    const result = new Map<string, unknown>();
    let pairName: string | undefined;
    const paired: [string, unknown][] = [];
    for (const [key, value] of entries) {
      if (this.#values <= 0 || this.#characters <= 0) {
        result.set("[more]", "[too large]");
        break;
      }
      if (value === undefined) continue;
      const name = typeof key === "string" ? key : describe(key);
      // `{ name: "authorization", value: "…" }`, in any order
      if (/^(?:name|key|header)$/i.test(name) && typeof value === "string") {
        pairName = value;
        for (const [field, item] of paired) {
          result.set(field, this.visit(item, this.#below(pairName, position)));
        }
      }
      const isPaired = /^values?$/i.test(name);
      const field = this.#freeKey(this.#cut(this.#options.redactName(name)), result);
      if (isPaired) paired.push([field, value]);
      const called = isPaired ? (pairName ?? name) : name;
      result.set(field, this.visit(value, this.#below(called, position)));
    }
    return Object.fromEntries(result);
  }

  #below(name: string | undefined, position: Position): Position {
    if (name === undefined || position.isHidden || !this.#options.isSecret(name)) return position;
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
