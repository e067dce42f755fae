import { NO_PASSWORD } from "./secret-shapes.ts";

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
export function isSecretName(name: string, more: ReadonlySet<string> = new Set()): boolean {
  if (name.length > 200) return false;
  const words = wordsOf(name);
  if (more.has(words.join(""))) return true;
  if (ABOUT.has(words.at(-1) ?? "") && !SECRET_NAMES.has(words.slice(-2).join(""))) return false;
  if (words.at(-1) === "auth") return true;
  if (words.at(-1) === "pass" && words.length > 1) return !NO_PASSWORDS.has(words.at(-2) ?? "");
  return words.some((word, index) => {
    const two = word + (words[index + 1] ?? "");
    return SECRET_NAMES.has(word) || SECRET_NAMES.has(two);
  });
}

/** Whether numbers of this name are counts, which are everywhere in this field: `maxTokens`. */
export function isCountName(name: string): boolean {
  return wordsOf(name).includes("tokens");
}

/** Whether the value of an environment variable of this name is a secret. */
function isSecretVariable(name: string, more: ReadonlySet<string> = new Set()): boolean {
  if (HARMLESS_VARIABLES.test(name)) return false;
  const last = wordsOf(name).at(-1) ?? "";
  if (name === "PASS") return true;
  return last === "key" || last === "keys" || last === "pat" || isSecretName(name, more);
}

export function joinedName(name: string): string {
  return wordsOf(name).join("");
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

interface SecretValueOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly values: readonly string[];
  readonly names: ReadonlySet<string>;
}

const MIN_VARIABLE_LENGTH = 8;
const MIN_VALUE_LENGTH = 4;
const MIN_PART_LENGTH = 16;
/** The widths at which encoders break lines. */
const BASE64_WIDTHS = [64, 76];

/** The secrets that are known by value, each in every form it may be met in, longest first. */
export function secretForms(options: SecretValueOptions): readonly string[] {
  const values = secretValues(options);
  const forms = new Set([...values].flatMap(formsOf));
  return [...forms].sort((a, b) => b.length - a.length);
}

/** The variables whose names denote a secret, and the passwords in the addresses of others. */
export function secretVariables(env: SecretValueOptions["env"]): Readonly<Record<string, string>> {
  const found = Object.entries(env).flatMap(([name, value = ""]) => {
    const secret = isSecretVariable(name) ? value.trim() : passwordIn(value);
    return secret.length < MIN_VARIABLE_LENGTH ? [] : [[name, secret] as const];
  });
  return Object.fromEntries(found);
}

function secretValues({ env, values, names }: SecretValueOptions): ReadonlySet<string> {
  const found = values.filter((value) => value.length >= MIN_VALUE_LENGTH);
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    const password = passwordIn(value);
    const candidates = isSecretVariable(name, names) ? [value, value.trim(), password] : [password];
    found.push(...candidates.filter((text) => text.length >= MIN_VARIABLE_LENGTH));
  }
  return new Set(found);
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
    lowerCase(text),
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
  return written.flatMap((text) => [text, upperCase(text)]);
}

/** The digits, not the prefix. */
function upperCase(written: string): string {
  return written.replace(/[0-9a-f]{2,4}(?![a-z])/g, (digits) => digits.toUpperCase());
}

function lowerCase(encoded: string): string {
  return encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
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
