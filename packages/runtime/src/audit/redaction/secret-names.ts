import { NO_PASSWORD } from "./named-values.ts";

/** Names of one word, or of two without what stands between them. */
const SECRET_NAMES: ReadonlySet<string> = new Set(
  `accesskey apikey appkey authorization authtoken bearer clientsecret connectionstring cookie
  cookies credential credentials dsn encryptionkey jwt keypass masterkey mfacode otp passphrase passwd
  password passwords privatekey pwd secret secretkey secrets sessionid sessionkey setcookie
  sharedkey signingkey sshkey sshpass
  storagekey storepass token tokens webhookurl`.split(/\s+/),
);

/** With these words at its end a name tells about a secret, and is none. */
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
export function isSecretVariable(name: string, more: ReadonlySet<string> = new Set()): boolean {
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
