const ENVIRONMENT = /^\.env(?:\.(?!example$|sample$|template$|dist$|defaults$)[\w.-]+)?$/;
const KEY_STORE = /\.(?:p12|pfx|jks|keystore|kdbx|ppk)$/i;
const SSH_KEY = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/;
const CREDENTIALS: ReadonlySet<string> = new Set([
  ".git-credentials",
  ".netrc",
  ".pgpass",
  "_netrc",
]);
const TOKEN_FILES: Readonly<Record<string, RegExp>> = {
  ".npmrc": /_(?:authToken|auth|password)\s*=\s*(?!\$\{)\S/,
  ".pypirc": /^[ \t]*password[ \t]*[=:][ \t]*\S/m,
};
const PRIVATE_KEY = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/;
const MAX_LOOK = 64 * 1024;

/**
 * Why a file looks like a secret that would be published with the skill, or undefined. A document
 * that quotes a key is not one; a file that is named or starts like one is.
 */
export function secretProblem(path: string, content: Buffer): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (ENVIRONMENT.test(name)) return "holds environment variables";
  if (SSH_KEY.test(name)) return "is named like an SSH private key";
  if (KEY_STORE.test(name)) return "is a key store";
  if (CREDENTIALS.has(name) || path.endsWith(".aws/credentials")) return "holds credentials";
  const text = content.subarray(0, MAX_LOOK).toString("latin1");
  const token = Object.hasOwn(TOKEN_FILES, name) ? TOKEN_FILES[name] : undefined;
  if (token?.test(text) === true) return "holds a token or password";
  const start = text.search(PRIVATE_KEY);
  const isKeyFile = /\.(?:pem|key|p8|der|crt|asc)$/i.test(name);
  if (start !== -1 && (isKeyFile || text.slice(0, start).trim() === "")) {
    return "holds a private key";
  }
  if (/\.json$/i.test(name) && PRIVATE_KEY.test(text) && /"private_key"\s*:/.test(text)) {
    return "holds the key of a service account";
  }
  return undefined;
}
