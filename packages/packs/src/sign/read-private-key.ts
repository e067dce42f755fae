import { quoteName } from "@skillwright/core/internal";
import { createPrivateKey, type KeyObject } from "node:crypto";
import type { PackFailure } from "../pack-failure.ts";
import { ED25519, type PublicKey, publicKeyOf } from "./public-key.ts";
import { decodeBase64, MalformedError, SshReader } from "./ssh-wire.ts";

export type AskPassphrase = () => string | Promise<string>;

interface SigningKey {
  readonly ok: true;
  readonly privateKey: KeyObject;
  readonly publicKey: PublicKey;
}

const MAX_CHARACTERS = 64 * 1024;

/** The Ed25519 key in the text of a key file: PEM (PKCS #8, also encrypted) or OpenSSH's own. */
export async function readPrivateKey(
  text: string,
  passphrase?: AskPassphrase,
): Promise<SigningKey | PackFailure> {
  try {
    if (text.length > MAX_CHARACTERS) throw new MalformedError("it is too long");
    const privateKey = text.includes("-----BEGIN OPENSSH PRIVATE KEY-----")
      ? readOpensshPrivateKey(text)
      : await readPem(text, passphrase);
    return { ok: true, privateKey, publicKey: publicKeyOf(privateKey) };
  } catch (error) {
    if (error instanceof EncryptedKeyError) return encrypted();
    if (!(error instanceof MalformedError)) throw error;
    return {
      ok: false,
      code: "source-invalid",
      message: `the private key cannot be used: ${error.message}`,
      hint: "make one with `ssh-keygen -t ed25519` or `openssl genpkey -algorithm ed25519`",
    };
  }
}

async function readPem(text: string, passphrase: AskPassphrase | undefined): Promise<KeyObject> {
  if (/-----BEGIN (?:[A-Z]+ )?PUBLIC KEY-----|^ssh-/m.test(text)) {
    throw new MalformedError("it is a public key; the private one is needed");
  }
  const isEncrypted = text.includes("ENCRYPTED");
  if (isEncrypted && passphrase === undefined) {
    throw new MalformedError("it is encrypted, and there is no passphrase");
  }
  const secret = isEncrypted && passphrase !== undefined ? await passphrase() : undefined;
  try {
    // Without a passphrase, OpenSSL would ask on the terminal.
    return createPrivateKey({ key: text, format: "pem", passphrase: secret ?? "" });
  } catch {
    throw new MalformedError(
      isEncrypted ? "it is damaged, or the passphrase is wrong" : "it is not a PEM private key",
    );
  }
}

function encrypted(): PackFailure {
  return {
    ok: false,
    code: "source-invalid",
    message: "the OpenSSH key is encrypted, and Node has no bcrypt_pbkdf to decrypt it with",
    hint: "sign through ssh-agent after `ssh-add <key>`; or make a copy of the key and take its passphrase off with `ssh-keygen -p -N '' -f <copy>`; or unpack manifest.json and sign it with `ssh-keygen -Y sign -n skillwright-pack -f <key> manifest.json`, then name the result <pack>.sig",
  };
}

class EncryptedKeyError extends Error {}

const ARMOR =
  /^\s*-----BEGIN OPENSSH PRIVATE KEY-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END OPENSSH PRIVATE KEY-----\s*$/;
const MAGIC = "openssh-key-v1\0";
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** Throws a `MalformedError` for what is no Ed25519 key, an `EncryptedKeyError` for a protected one. */
function readOpensshPrivateKey(text: string): KeyObject {
  const [, body] = ARMOR.exec(text) ?? [];
  if (body === undefined) throw new MalformedError("it is not an OpenSSH private key");
  const reader = new SshReader(decodeBase64(body.replace(/[\r\n]/g, "")));
  if (reader.take(MAGIC.length).toString("latin1") !== MAGIC) {
    throw new MalformedError("it is not an OpenSSH private key");
  }
  const cipher = reader.text();
  const derivation = reader.text();
  reader.string();
  if (reader.uint32() !== 1) throw new MalformedError("it does not hold exactly one key");
  const publicBlob = reader.string();
  const section = reader.string();
  reader.end();
  const type = new SshReader(publicBlob).text();
  if (type !== ED25519) {
    throw new MalformedError(`keys of type ${quoteName(type, 40)} are not supported, only Ed25519`);
  }
  if (cipher !== "none" || derivation !== "none") throw new EncryptedKeyError();
  const key = readSection(new SshReader(section));
  if (!publicKeyOf(key).blob.equals(publicBlob)) {
    throw new MalformedError("its two halves do not belong together");
  }
  return key;
}

function readSection(reader: SshReader): KeyObject {
  if (reader.uint32() !== reader.uint32()) throw new MalformedError("it is damaged");
  if (reader.text() !== ED25519) throw new MalformedError("it is damaged");
  const point = reader.string();
  const secret = reader.string();
  reader.string();
  const isPadded = reader.rest.every((byte, i) => byte === i + 1);
  if (secret.length !== 64 || !secret.subarray(32).equals(point) || !isPadded) {
    throw new MalformedError("it is damaged");
  }
  const key = Buffer.concat([PKCS8_PREFIX, secret.subarray(0, 32)]);
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}
