import { createHash } from "node:crypto";
import { REDACTED, type RedactionRules, type Redactor, type TextRule } from "./redactor.ts";
import { ArgumentList, secretShapes } from "./secret-shapes.ts";
import { isCountName, isSecretName, joinedName, secretForms } from "./secret-values.ts";

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

interface RedactValueOptions {
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
function redactValue(value: unknown, options: RedactValueOptions): unknown {
  return new Walk(options).visit(value, { depth: 0, isHidden: false, isCount: false });
}

/** The placeholder of a known secret, and nothing else. */
function isPlaceholder(value: unknown): boolean {
  return typeof value === "string" && /^⟦secret:[\w.-]{1,200}⟧$/.test(value);
}

interface Position {
  readonly depth: number;
  /** Whether it is below a secret name: then only the shape is kept. */
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

export interface RedactorOptions {
  /** Values of variables whose names look secret are taken out wherever they appear. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** More names of fields and variables that hold secrets, in any case. */
  readonly names?: readonly string[];
  /** More shapes of secrets. They must match in linear time and not span lines. */
  readonly patterns?: readonly RegExp[];
  /** More secrets; those under four characters are not looked for. */
  readonly values?: readonly string[];
  /** Longer strings are cut. Default 16,384 characters. */
  readonly maxStringLength?: number;
}

const MAX_STRING_LENGTH = 16_384;
const MAX_REMEMBERED = 1000;
const MAX_REMEMBERED_LENGTH = 64;
/** No secret that is looked for is shorter. */
const SHORTEST = 4;
const MAX_ROUNDS = 4;

export function createRedactor(options: RedactorOptions): Redactor {
  const { env, patterns = [], values = [], maxStringLength = MAX_STRING_LENGTH } = options;
  const names = new Set((options.names ?? []).map(joinedName));
  const forms = secretForms({ env, values, names });
  const texts = [...valueRules(forms), ...secretShapes, ...patterns.map(patternRule)];
  const rules: RedactionRules = {
    texts,
    multiline: forms.filter((form) => /[\r\n]/.test(form)),
    longestValue: forms[0]?.length ?? 0,
  };
  const redactText = (text: string): string =>
    text.length < SHORTEST && patterns.length === 0 ? text : redactWith(texts, text);
  const isSecret = remembered((name) => isSecretName(name, names));
  const redactName = remembered(redactText);
  return {
    rules,
    redactText,
    redact: (value) => redactValue(value, { redactText, redactName, isSecret, maxStringLength }),
  };
}

/**
 * Until nothing is found any more: what takes the place of a secret may make another one visible.
 * So a text that was redacted stays as it is, whoever redacts it again.
 */
function redactWith(texts: readonly TextRule[], text: string): string {
  let before = text;
  let redacted = redactOnce(texts, text);
  for (let round = 1; round < MAX_ROUNDS && redacted !== before; round++) {
    before = redacted;
    redacted = redactOnce(texts, redacted);
  }
  return redacted;
}

function redactOnce(texts: readonly TextRule[], text: string): string {
  return texts.reduce((result, { expression, needs, replacement }) => {
    const isPossible = needs === undefined || needs.some((part) => result.includes(part));
    return isPossible ? result.replace(expression, replacement) : result;
  }, text);
}

/** One expression for all values, so that a text is read once. */
function valueRules(forms: readonly string[]): readonly TextRule[] {
  if (forms.length === 0) return [];
  const source = forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`));
  return [{ expression: new RegExp(source.join("|"), "g"), replacement: REDACTED }];
}

function patternRule({ source, flags }: RegExp): TextRule {
  const kept = flags.replaceAll(/[gy]/g, "");
  return { expression: new RegExp(source, `${kept}g`), replacement: REDACTED };
}

/** The same few names come again and again. */
function remembered<Result>(decide: (name: string) => Result): (name: string) => Result {
  const known = new Map<string, Result>();
  return (name) => {
    const decided = known.get(name) ?? decide(name);
    const isShort = name.length <= MAX_REMEMBERED_LENGTH;
    if (isShort && known.size < MAX_REMEMBERED) known.set(name, decided);
    return decided;
  };
}
