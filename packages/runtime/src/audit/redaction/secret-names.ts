/** Names of one word, or of several without what stands between them. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  ...["accesskey", "apikey", "appkey", "auth", "authorization", "authtoken", "bearer"],
  ...["clientsecret", "connectionstring", "cookie", "cookies", "credential", "credentials", "dsn"],
  ...["encryptionkey", "jwt", "masterkey", "mfacode", "otp", "passphrase", "passwd", "password"],
  ...["passwords", "privatekey", "proxyauthorization", "pwd", "secret", "secretkey", "secrets"],
  ...["sessionid", "sessionkey", "setcookie", "sharedkey", "signature", "signingkey", "sshkey"],
  ...["storagekey", "token", "tokens", "webhookurl"],
]);

/** With these words at its end a name tells about a secret, and is none. */
const ABOUT: ReadonlySet<string> = new Set([
  ...["budget", "count", "counts", "expires", "expiry", "id", "kind", "length", "limit", "name"],
  ...["names", "policy", "type", "url", "usage", "used"],
]);

/** Counts of tokens are everywhere in this field. */
const COUNTED: ReadonlySet<string> = new Set(["token", "tokens"]);

/** `PWD` is the working directory; the others are no secrets either. */
const HARMLESS_VARIABLES = /^(?:OLD)?PWD$|^SSH_AUTH_SOCK$|^GPG_AGENT_INFO$|^XAUTHORITY$/;

/** Whether a field of this name holds a secret: `apiKey`, `API_KEY`, `x-api-key`, `db.password`. */
export function isSecretName(name: string, more: ReadonlySet<string> = new Set()): boolean {
  if (name.length > 200) return false;
  const words = wordsOf(name);
  if (more.has(words.join(""))) return true;
  if (ABOUT.has(words.at(-1) ?? "") && !SECRET_NAMES.has(words.slice(-2).join(""))) return false;
  return words.some((word, index) => {
    const two = word + (words[index + 1] ?? "");
    return SECRET_NAMES.has(word) || SECRET_NAMES.has(two);
  });
}

/** Whether numbers of this name are counts and not secrets: `maxTokens`, `tokens`. */
export function isCountName(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word) => COUNTED.has(word)) && !words.includes("otp");
}

/** Whether the value of an environment variable of this name is a secret. */
export function isSecretVariable(name: string, more: ReadonlySet<string> = new Set()): boolean {
  if (HARMLESS_VARIABLES.test(name)) return false;
  const last = wordsOf(name).at(-1) ?? "";
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
