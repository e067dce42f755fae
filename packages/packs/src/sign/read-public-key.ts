import { createPublicKey } from "node:crypto";
import { type PublicKey, publicKeyOf, readKeyBlob } from "./public-key.ts";
import { decodeBase64, MalformedError } from "./ssh-wire.ts";

const PEM = /^\s*-----BEGIN PUBLIC KEY-----[\s\S]*-----END PUBLIC KEY-----\s*$/;

/** One key: a PEM, or the line of a `.pub` file. Throws a `MalformedError` for anything else. */
export function readPublicKey(text: string): PublicKey {
  return text.includes("-----BEGIN") ? readPem(text) : readLine(text.trim());
}

function readPem(text: string): PublicKey {
  if (!PEM.test(text)) throw new MalformedError("it is not one PEM public key");
  try {
    return publicKeyOf(createPublicKey(text));
  } catch (error) {
    if (error instanceof MalformedError) throw error;
    throw new MalformedError("it is not a PEM public key");
  }
}

function readLine(line: string): PublicKey {
  const [type, encoded = ""] = line.split(/[ \t]+/);
  const key = readKeyBlob(decodeBase64(encoded));
  if (key.type !== type) throw new MalformedError("the key is not of the type that is named");
  return key;
}
