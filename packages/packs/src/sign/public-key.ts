import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { quoteName } from "@skillwright/core/internal";
import { MalformedError, SshReader, sshStrings } from "./ssh-wire.ts";

export const ED25519 = "ssh-ed25519";
/** Ed25519 on a security key, which signs only when it is touched. */
export const SECURITY_KEY = "sk-ssh-ed25519@openssh.com";

/** A key that packs are signed with. */
export interface PublicKey {
  readonly type: typeof ED25519 | typeof SECURITY_KEY;
  /** As SSH writes it; what fingerprints are made of. */
  readonly blob: Buffer;
  /** The 32 bytes of the point. */
  readonly point: Buffer;
  /** Of a security key: what it was made for, mostly `ssh:`. */
  readonly application?: Buffer;
  /** `SHA256:…`, as `ssh-keygen -l` prints it. */
  readonly fingerprint: string;
}

const POINT_BYTES = 32;
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/** Throws a `MalformedError` for other kinds of keys and for what is no key. */
export function readKeyBlob(blob: Buffer): PublicKey {
  const reader = new SshReader(blob);
  const type = reader.text();
  if (type !== ED25519 && type !== SECURITY_KEY) {
    throw new MalformedError(`keys of type ${quoteName(type, 40)} are not supported, only Ed25519`);
  }
  const point = reader.string();
  if (point.length !== POINT_BYTES) throw new MalformedError("the key has not 32 bytes");
  const application = type === SECURITY_KEY ? reader.string() : undefined;
  reader.end();
  const key = { type, blob, point, fingerprint: fingerprintOf(blob) } as const;
  return application === undefined ? key : { ...key, application };
}

export function publicKeyOf(key: KeyObject): PublicKey {
  if (key.asymmetricKeyType !== "ed25519") {
    const type = quoteName(key.asymmetricKeyType ?? key.type, 40);
    throw new MalformedError(`keys of type ${type} are not supported, only Ed25519`);
  }
  const spki = (key.type === "private" ? createPublicKey(key) : key).export({
    type: "spki",
    format: "der",
  });
  return readKeyBlob(sshStrings(ED25519, spki.subarray(-POINT_BYTES)));
}

/** For `node:crypto`. */
export function keyObjectOf({ point }: PublicKey): KeyObject {
  const key = Buffer.concat([SPKI_PREFIX, point]);
  return createPublicKey({ key, type: "spki", format: "der" });
}

/** `ssh-ed25519 AAAA…`. */
export function renderPublicKey({ type, blob }: PublicKey): string {
  return `${type} ${blob.toString("base64")}`;
}

function fingerprintOf(blob: Buffer): string {
  return `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;
}
