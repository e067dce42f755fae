import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { readIfPresent, writeAtomic } from "@skillwright/core/internal";
import { makeConfinedFolder } from "../change/files/plain-path.ts";
import type { InstallScope } from "../install-scope.ts";
import type { LockedSkill } from "../lock/lock-file.ts";
import { readInside } from "../lock/read-inside.ts";
import { MANIFEST_FILE } from "../pack/manifest.ts";
import { readManifest } from "../pack/read-manifest.ts";
import type { PackFailure } from "../pack-failure.ts";
import { checkSignature } from "./check-signature.ts";
import { readTrustedKeys } from "./read-trusted-keys.ts";

/** Beside the lock: what each signer signed, so that the disk can be checked without the pack. */
const SIGNATURES_FOLDER = "skills.signatures";

const MAX_MANIFEST_BYTES = 8 * 1024 * 1024;
const MAX_SIGNATURE_BYTES = 16 * 1024;

/** A manifest as it was signed, with its detached signature. */
export interface SignedManifest {
  readonly signer: string;
  readonly manifest: string;
  readonly signature: string;
}

/** Whose signatures count when installed skills are checked. Keys are as `readTrustedKeys` takes them. */
export interface SignaturePolicy {
  /** Every skill must be signed by one of these keys. */
  readonly requireSignature?: boolean | undefined;
  readonly trustedKeys?: readonly string[] | undefined;
  /** Keys whose signatures no longer count, whoever trusts them. */
  readonly revokedKeys?: readonly string[] | undefined;
}

interface SignatureProblem {
  readonly code: "signature-invalid" | "signer-unknown" | "signer-revoked";
  readonly message: string;
  readonly hint?: string;
  /** The files that differ from what was signed. */
  readonly isChanged?: true;
}

export type CheckEntry = (path: string, locked: LockedSkill) => SignatureProblem | undefined;

/** Names a signature in the lock, and its folder. */
export function signatureId({ manifest, signature }: Omit<SignedManifest, "signer">): string {
  const hash = createHash("sha256").update(`${signature}\0${manifest}`);
  return `sha256:${hash.digest("hex")}`;
}

/** Written before the lock that names it. Named by its content, so an unused one does no harm. */
export function saveSignedManifest(
  { base, lockFile }: Pick<InstallScope, "base" | "lockFile">,
  signed: SignedManifest,
): void {
  const folder = makeConfinedFolder(base, folderOf(lockFile, signatureId(signed)));
  for (const [name, text] of [
    [MANIFEST_FILE, signed.manifest],
    [`${MANIFEST_FILE}.sig`, signed.signature],
  ] as const) {
    const file = join(folder, name);
    if (readIfPresent(file)?.toString("utf8") !== text) writeAtomic(file, text);
  }
}

/** Checks entries of a lock against the manifests that were signed for them. */
export function signatureCheck(
  scope: Pick<InstallScope, "base" | "lockFile">,
  policy: SignaturePolicy,
): { readonly ok: true; readonly check: CheckEntry } | PackFailure {
  const trusted = readTrustedKeys(policy.trustedKeys ?? []);
  if (!trusted.ok) return trusted;
  const revoked = readTrustedKeys(policy.revokedKeys ?? []);
  if (!revoked.ok) return revoked;
  const isTrusted = new Set(trusted.keys.map(({ fingerprint }) => fingerprint));
  const isRevoked = new Set(revoked.keys.map(({ fingerprint }) => fingerprint));
  const read = new Map<string, Known>();

  function check(path: string, locked: LockedSkill): SignatureProblem | undefined {
    const { signer, signature, linked } = locked;
    if (signer === undefined) {
      return policy.requireSignature === true && linked !== true ? unsigned(path) : undefined;
    }
    if (isRevoked.has(signer)) return revokedBy(path, signer);
    if (policy.requireSignature === true && !isTrusted.has(signer)) return untrusted(path, signer);
    if (signature === undefined) return missing(path, signer);
    let known = read.get(signature);
    if (known === undefined) read.set(signature, (known = readSigned(scope, signature)));
    if ("problem" in known) return missing(path, signer, known.problem);
    if (known.signer !== signer) return otherSigner(path, signer, known.signer);
    const files = known.files.get(locked.skillPath);
    return files !== undefined && isSame(files, locked.files) ? undefined : changed(path, signer);
  }
  return { ok: true, check };
}

/** A skill that was signed by a revoked key must not come in, whoever trusts the key. */
export function revokedProblem(
  signer: string | undefined,
  revokedKeys: readonly string[] | undefined,
): PackFailure | undefined {
  if (signer === undefined) return undefined;
  const revoked = readTrustedKeys(revokedKeys ?? []);
  if (!revoked.ok) return revoked;
  if (!revoked.keys.some(({ fingerprint }) => fingerprint === signer)) return undefined;
  return { ok: false, ...revokedBy("the pack", signer) };
}

type Files = ReadonlyMap<string, string>;
type Known =
  | { readonly signer: string; readonly files: ReadonlyMap<string, Files> }
  | { readonly problem: string };

function readSigned(scope: Pick<InstallScope, "base" | "lockFile">, id: string): Known {
  const file = join(folderOf(scope.lockFile, id), MANIFEST_FILE);
  const manifest = readInside(scope.base, file, MAX_MANIFEST_BYTES);
  if (!manifest.ok) return { problem: manifest.reason };
  const signature = readInside(scope.base, `${file}.sig`, MAX_SIGNATURE_BYTES);
  if (!signature.ok) return { problem: signature.reason };
  const checked = checkSignature(signature.text, Buffer.from(manifest.text));
  if (!checked.ok) return { problem: checked.message };
  const parsed = readManifest(manifest.text);
  if (!parsed.ok) return { problem: parsed.message };
  const files = parsed.manifest.skills.map(({ path, files: list }) => {
    return [path, new Map(list.map((one) => [one.path, one.sha256]))] as const;
  });
  return { signer: checked.fingerprint, files: new Map(files) };
}

function folderOf(lockFile: string, id: string): string {
  return join(dirname(lockFile), SIGNATURES_FOLDER, id.replace("sha256:", ""));
}

function isSame(signed: Files, locked: Readonly<Record<string, string>>): boolean {
  const paths = Object.keys(locked);
  return paths.length === signed.size && paths.every((path) => signed.get(path) === locked[path]);
}

function unsigned(path: string): SignatureProblem {
  const message = `${path} is not signed, and a signature is required`;
  return { code: "signature-invalid", message, hint: "install it from a signed pack" };
}

function revokedBy(path: string, signer: string): SignatureProblem {
  const message = `${path} is signed by ${signer}, a key that was revoked`;
  const hint = "ask the author for a pack signed with a new key, and take it with --accept-signer";
  return { code: "signer-revoked", message, hint };
}

function untrusted(path: string, signer: string): SignatureProblem {
  const message = `${path} is signed by ${signer}, which is not a trusted key`;
  const hint = "compare the fingerprint with the author, then add the key to packs.trustedKeys";
  return { code: "signer-unknown", message, hint };
}

function missing(path: string, signer: string, why?: string): SignatureProblem {
  const reason = why === undefined ? "the lock names no signature" : why;
  const message = `${path} was signed by ${signer}, and its signature cannot be checked: ${reason}`;
  const hint = `commit ${SIGNATURES_FOLDER} beside the lock, or install the signed pack again`;
  return { code: "signature-invalid", message, hint };
}

function otherSigner(path: string, signer: string, found: string): SignatureProblem {
  const message = `the lock says that ${signer} signed ${path}, but the signature is by ${found}`;
  return { code: "signature-invalid", message, hint: "install the signed pack again" };
}

function changed(path: string, signer: string): SignatureProblem {
  const message = `${path} is not what ${signer} signed`;
  const hint = "install the signed pack again with --force; what is there goes to the backup";
  return { code: "signature-invalid", message, hint, isChanged: true };
}
