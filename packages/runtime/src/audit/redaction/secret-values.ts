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
export function isSecretName(name: string): boolean {
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
export function isCountName(name: string): boolean {
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
export function secretForms(env: Environment, values: readonly string[]): readonly string[] {
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
