import { createHash, verify } from "node:crypto";
import { keyObjectOf, type PublicKey, readKeyBlob } from "./public-key.ts";
import { decodeBase64, MalformedError, SshReader, sshStrings } from "./ssh-wire.ts";

/** A detached signature as `ssh-keygen -Y sign` makes it. */
export interface SshSignature {
  readonly publicKey: PublicKey;
  readonly namespace: string;
  readonly hashAlgorithm: "sha256" | "sha512";
  /** Of the algorithm of the key. */
  readonly signature: Buffer;
  /** Of a security key: what it attests with each signature. */
  readonly attested?: Buffer;
}

const MAGIC = "SSHSIG";
const BEGIN = "-----BEGIN SSH SIGNATURE-----";
const END = "-----END SSH SIGNATURE-----";
const ARMOR =
  /^-----BEGIN SSH SIGNATURE-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END SSH SIGNATURE-----\s*$/;
const LINE = 70;
const MAX_CHARACTERS = 16 * 1024;
const USER_PRESENT = 1;

export function renderSshSignature(signature: SshSignature): string {
  const { publicKey, namespace, hashAlgorithm, attested = Buffer.alloc(0) } = signature;
  const version = Buffer.from([0, 0, 0, 1]);
  const inner = Buffer.concat([sshStrings(publicKey.type, signature.signature), attested]);
  const fields = sshStrings(publicKey.blob, namespace, "", hashAlgorithm, inner);
  const encoded = Buffer.concat([Buffer.from(MAGIC), version, fields]).toString("base64");
  const lines = encoded.match(new RegExp(`.{1,${LINE}}`, "g")) ?? [];
  return `${[BEGIN, ...lines, END].join("\n")}\n`;
}

/** Throws a `MalformedError` for what is no signature by a key of a kind that is supported. */
export function readSshSignature(text: string): SshSignature {
  if (text.length > MAX_CHARACTERS) throw new MalformedError("it is too long");
  const [, body] = ARMOR.exec(text) ?? [];
  if (body === undefined) throw new MalformedError("it is not an SSH signature");
  const reader = new SshReader(decodeBase64(body.replace(/\r?\n/g, "")));
  if (reader.take(MAGIC.length).toString("latin1") !== MAGIC) {
    throw new MalformedError("it is not an SSH signature");
  }
  if (reader.uint32() !== 1) throw new MalformedError("its version is not 1");
  const publicKey = readKeyBlob(reader.string());
  const namespace = reader.text();
  reader.string();
  const hashAlgorithm = reader.text();
  if (hashAlgorithm !== "sha256" && hashAlgorithm !== "sha512") {
    throw new MalformedError("its hash algorithm is neither sha256 nor sha512");
  }
  const raw = readRawSignature(reader.string(), publicKey);
  reader.end();
  return { publicKey, namespace, hashAlgorithm, ...raw };
}

/** The innermost part, which is also what an agent answers with. */
export function readRawSignature(
  bytes: Buffer,
  publicKey: PublicKey,
): Pick<SshSignature, "signature" | "attested"> {
  const reader = new SshReader(bytes);
  if (reader.text() !== publicKey.type) throw new MalformedError("it is not by the key it names");
  const signature = reader.string();
  if (signature.length !== 64) throw new MalformedError("it has not 64 bytes");
  const attested = publicKey.application === undefined ? undefined : reader.take(5);
  reader.end();
  return attested === undefined ? { signature } : { signature, attested };
}

/** What is signed: bound to its purpose, so that it cannot pass for a signature of something else. */
export function messageToSign(
  content: Uint8Array,
  { namespace, hashAlgorithm }: Pick<SshSignature, "namespace" | "hashAlgorithm">,
): Buffer {
  const hash = createHash(hashAlgorithm).update(content).digest();
  return Buffer.concat([Buffer.from(MAGIC), sshStrings(namespace, "", hashAlgorithm, hash)]);
}

export function isSignatureOf(signature: SshSignature, content: Uint8Array): boolean {
  const { publicKey, attested } = signature;
  let message = messageToSign(content, signature);
  if (publicKey.application !== undefined) {
    if (attested === undefined || ((attested[0] ?? 0) & USER_PRESENT) === 0) return false;
    message = Buffer.concat([sha256(publicKey.application), attested, sha256(message)]);
  }
  return verify(null, message, keyObjectOf(publicKey), signature.signature);
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}
