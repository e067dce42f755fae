import { createPrivateKey, type KeyObject } from "node:crypto";
import type { PackFailure } from "../pack-failure.ts";
import { EncryptedKeyError, readOpensshPrivateKey } from "./openssh-private-key.ts";
import { type PublicKey, publicKeyOf } from "./public-key.ts";
import { MalformedError } from "./ssh-wire.ts";

export type AskPassphrase = () => string | Promise<string>;

export interface SigningKey {
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
