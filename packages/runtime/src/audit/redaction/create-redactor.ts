import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import {
  applyRules,
  MAX_ARGUMENT,
  NO_PASSWORD,
  redactArguments,
  REDACTED,
  type Redactor,
  secretShapes,
  type TextRule,
} from "./redactor.ts";

/** Names of one word, or of two without the characters between them. */
const SECRET_NAMES: ReadonlySet<string> = new Set(
  `accesskey apikey appkey authorization authtoken bearer clientsecret connectionstring cookie
  cookies credential credentials dsn encryptionkey jwt keypass masterkey mfacode otp passphrase passwd
  password passwords privatekey pwd secret secretkey secrets sessionid sessionkey setcookie
  sharedkey signingkey sshkey sshpass
  storagekey storepass token tokens webhookurl`.split(/\s+/),
);

/** A name that ends in one of these describes a secret, such as `tokenType`. */
const ABOUT: ReadonlySet<string> = new Set(
  `audience budget count counts domain enabled endpoint expires expiry field file header host id
  issuer kind length lifetime limit method mode name names path policy prefix provider timeout ttl
  type uri url usage used version`.split(/\s+/),
);

const NO_PASSWORDS: ReadonlySet<string> = new Set(NO_PASSWORD.split("|"));

/** `PWD` is the working directory; the others are no secrets either. */
const HARMLESS_VARIABLES = /^(?:OLD)?PWD$|^SSH_AUTH_SOCK$|^GPG_AGENT_INFO$|^XAUTHORITY$/;

/** Whether a field of this name holds a secret: `apiKey`, `API_KEY`, `x-api-key`, `db.password`. */
function isSecretName(name: string): boolean {
  if (name.length > 200) return false;
  const words = wordsOf(name);
  if (ABOUT.has(words.at(-1) ?? "") && !SECRET_NAMES.has(words.slice(-2).join(""))) return false;
  if (words.at(-1) === "auth") return true;
  if (words.at(-1) === "pass" && words.length > 1) return !NO_PASSWORDS.has(words.at(-2) ?? "");
  return words.some((word, index) => {
    const two = word + (words[index + 1] ?? "");
    return SECRET_NAMES.has(word) || SECRET_NAMES.has(two);
  });
}

/** Whether numbers of this name are counts, which are everywhere in this field: `maxTokens`. */
function isCountName(name: string): boolean {
  return wordsOf(name).includes("tokens");
}

/** Whether the value of an environment variable of this name is a secret. */
function isSecretVariable(name: string): boolean {
  if (HARMLESS_VARIABLES.test(name)) return false;
  const last = wordsOf(name).at(-1) ?? "";
  return name === "PASS" || /^(?:keys?|pat)$/.test(last) || isSecretName(name);
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

const MIN_VARIABLE_LENGTH = 8;
const MIN_VALUE_LENGTH = 4;
const MIN_PART_LENGTH = 16;
/** The widths at which encoders break lines. */
const BASE64_WIDTHS = [64, 76];

type Environment = Readonly<Record<string, string | undefined>>;

/** The secrets that are known by value, each in every form it may be met in, longest first. */
function secretForms(env: Environment, values: readonly string[]): readonly string[] {
  const secrets = [
    ...values.filter((value) => value.length >= MIN_VALUE_LENGTH),
    ...secretVariables(env).map(([, secret]) => secret),
  ];
  return [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
}

/** One expression for all values, so that a text is read once. Longest first: one may begin with another. */
export function anyOf(values: readonly string[]): RegExp | undefined {
  if (values.length === 0) return undefined;
  const sources = [...values]
    .sort((a, b) => b.length - a.length)
    .map((value) => value.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`));
  return new RegExp(sources.join("|"), "g");
}

/** The values of variables whose names denote a secret, and the passwords in addresses, by name. */
export function secretVariables(env: Environment): readonly (readonly [string, string])[] {
  return Object.entries(env).flatMap(([name, value = ""]) => {
    const found = isSecretVariable(name) ? [value.trim()] : [];
    return [...found, passwordIn(value)]
      .filter((secret) => secret.length >= MIN_VARIABLE_LENGTH)
      .map((secret) => [name, secret] as const);
  });
}

/** Of a URL, also where the variable does not look secret: `DATABASE_URL`. */
function passwordIn(value: string): string {
  if (!value.includes("://") || value.length > 4096) return "";
  try {
    return decodeURIComponent(new URL(value).password);
  } catch {
    return "";
  }
}

function formsOf(value: string): string[] {
  const escaped = JSON.stringify(value).slice(1, -1);
  const encoded = encodeURIComponent(value.replace(/\p{Cs}/gu, "\ufffd"));
  const strict = encoded.replace(/[!'()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  const urls = [encoded, strict].flatMap((text) => [
    text,
    text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    text.replaceAll("%20", "+"),
  ]);
  return [value, escaped, ...urls, ...byteForms(value), ...base64Forms(value), ...longLines(value)];
}

/** Byte by byte, as `xxd -p`, `od`, `printf %q` and escapes in source code write them. */
function byteForms(value: string): string[] {
  const bytes = Buffer.from(value).toString("hex").match(/../g) ?? [];
  const units = Array.from({ length: value.length }, (_, index) =>
    value.charCodeAt(index).toString(16).padStart(4, "0"),
  );
  const written = [
    ...["", " ", ":"].map((between) => bytes.join(between)),
    ...["%", "\\x", "0x"].map((before) => bytes.map((byte) => before + byte).join("")),
    units.map((unit) => `\\u${unit}`).join(""),
  ];
  // The digits, not the prefix.
  const upperCase = (text: string) =>
    text.replace(/[0-9a-f]{2,4}(?![a-z])/g, (digits) => digits.toUpperCase());
  return written.flatMap((text) => [text, upperCase(text)]);
}

/** The characters that are the same wherever the value is within the encoded bytes. */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  const whole = bytes.toString("base64");
  const broken = BASE64_WIDTHS.flatMap((width) => partsOf(whole, width));
  const shifted = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replaceAll("=", "");
    const start = Math.ceil((shift * 8) / 6);
    return text.slice(start, Math.floor(((shift + bytes.length) * 8) / 6));
  });
  const plain = [...broken, ...shifted].filter((text) => text.length >= MIN_VARIABLE_LENGTH);
  return plain.flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")]);
}

function partsOf(text: string, width: number): string[] {
  if (text.length <= width) return [];
  const parts = Array.from({ length: Math.ceil(text.length / width) }, (_, index) => {
    return text.slice(index * width, (index + 1) * width).replaceAll("=", "");
  });
  return parts.filter((part) => part.length >= MIN_PART_LENGTH);
}

/** A part of a key that has several lines is also worth hiding. */
function longLines(value: string): string[] {
  if (!value.includes("\n")) return [];
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => line.length >= MIN_PART_LENGTH && !line.startsWith("-----"));
}

interface RedactorOptions {
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
