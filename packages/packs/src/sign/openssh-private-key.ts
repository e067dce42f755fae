import { createPrivateKey, type KeyObject } from "node:crypto";
import { quoteName } from "@skillwright/core/internal";
import { ED25519, publicKeyOf } from "./public-key.ts";
import { decodeBase64, MalformedError, SshReader } from "./ssh-wire.ts";

export class EncryptedKeyError extends Error {}

const ARMOR =
  /^\s*-----BEGIN OPENSSH PRIVATE KEY-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END OPENSSH PRIVATE KEY-----\s*$/;
const MAGIC = "openssh-key-v1\0";
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** Throws a `MalformedError` for what is no Ed25519 key, an `EncryptedKeyError` for a protected one. */
export function readOpensshPrivateKey(text: string): KeyObject {
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
